import type { OpenLayer } from "../layer.ts";
import { alignColumns, counted } from "./format.ts";
import { printable } from "./printable.ts";

/** The files of a project layer, with what became of each since it was trusted. */
export function layerLines({ content, trust }: OpenLayer): string[] {
  const changes = trust.state === "changed" ? trust.changes : [];
  const rows = [...content.files].map(([path, file]) => {
    const change = changes.find((each) => each.startsWith(`${path} `));
    const size =
      file.kind === "bytes" ? counted(file.bytes.length, "byte") : `not readable: ${file.reason}`;
    return [printable(`.kit/${path}`), size, change?.slice(path.length + 1) ?? ""];
  });
  const gone = changes.filter((each) => each.endsWith(" is gone"));
  return [...alignColumns(rows, "  "), ...gone.map((each) => `  .kit/${printable(each)}`)];
}

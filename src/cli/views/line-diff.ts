import { diffLines } from "../../changes/index.ts";
import type { Paint } from "./format.ts";

/** Unchanged lines shown around a changed one. */
const context = 3;

/** What changes from one text to the other, line by line; long unchanged parts as `…`. */
export function lineDiff(before: string, after: string, paint: Paint): string[] {
  const [old, now] = [before, after].map((text) => text.replace(/\n$/, "").split("\n"));
  let [oldAt, newAt] = [0, 0];
  const steps = diffLines(old ?? [], now ?? []);
  return steps.flatMap(({ kind, count }, index) => {
    if (kind === "add") {
      newAt += count;
      return (now ?? []).slice(newAt - count, newAt).map((line) => paint("good", `+ ${line}`));
    }
    oldAt += count;
    const lines = (old ?? []).slice(oldAt - count, oldAt);
    if (kind === "remove") return lines.map((line) => paint("bad", `- ${line}`));
    newAt += count;
    const head = index === 0 ? 0 : context;
    const tail = index === steps.length - 1 ? 0 : context;
    if (lines.length <= head + tail + 1) return lines.map((line) => `  ${line}`);
    const shown = [...lines.slice(0, head), "…", ...(tail === 0 ? [] : lines.slice(-tail))];
    return shown.map((line) => paint("quiet", `  ${line}`));
  });
}

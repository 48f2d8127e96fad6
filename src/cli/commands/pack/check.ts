import { type CheckedPack, type PackError, packToJson } from "../../../context-pack/index.ts";
import { defineCommand } from "../../command.ts";
import { addPackOptions, type PackOptions, readPack } from "../../pack-input.ts";
import { counted } from "../../views/format.ts";
import { printable } from "../../views/printable.ts";

export const command = defineCommand<PackOptions>({
  define: addPackOptions,
  examples: [
    ["kit pack check pack.md", "every error with its field and line"],
    ["kit pack check --lenient reply.md --json", "what kit makes of a scout's reply"],
  ],
  async run(options, { io, args: [file] }) {
    const name = String(file);
    const checked = await readPack(name, options, io);
    return {
      exitCode: checked.ok ? 0 : 1,
      document: {
        ok: checked.ok,
        pack: checked.ok ? packToJson(checked.pack) : null,
        markdown: checked.ok ? checked.markdown : null,
        report: checked.report.lines,
        errors: checked.errors,
      },
      text: `${lines(name, checked).map(printable).join("\n")}\n`,
    };
  },
});

function lines(file: string, checked: CheckedPack): string[] {
  const report = checked.report.lines.map((line) => `  ${line}`);
  if (!checked.ok) return [...checked.errors.map((error) => errorText(file, error)), ...report];
  const { version = 1, relevantFiles } = checked.pack;
  const size = counted(relevantFiles.length, "file");
  return [`${file}: a valid Context Pack, version ${version}, ${size}`, ...report];
}

/** `pack.md:12: relevant_files[0].lines: must be …` */
function errorText(file: string, { field, line, message }: PackError): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return `${place}: ${field === "" ? "" : `${field}: `}${message}`;
}

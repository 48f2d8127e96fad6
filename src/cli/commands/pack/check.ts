import {
  type PackError,
  type PackNote,
  type PackResult,
  packToJson,
  renderPack,
} from "../../../context-pack/index.ts";
import { defineCommand } from "../../command.ts";
import { type PackOptions, readPack } from "../../pack-input.ts";
import { counted } from "../../views/format.ts";
import { printable } from "../../views/printable.ts";

export const command = defineCommand<PackOptions>({
  define(command) {
    command
      .argument("<file>", "Markdown or JSON; - reads stdin")
      .option("--lenient", "read it as a model's reply: forgive what can be understood");
  },
  examples: [
    ["kit pack check pack.md", "every error with its field and line"],
    ["kit pack check --lenient reply.md --json", "what kit makes of a scout's reply"],
  ],
  async run(options, { io, args: [file] }) {
    const name = String(file);
    const result = await readPack(name, options, io);
    return {
      exitCode: result.ok ? 0 : 1,
      document: {
        ok: result.ok,
        pack: result.ok ? packToJson(result.pack) : null,
        markdown: result.ok ? renderPack(result.pack) : null,
        report: result.report.map(noteText),
        errors: result.ok ? [] : result.errors,
      },
      text: `${lines(name, result).map(printable).join("\n")}\n`,
    };
  },
});

function lines(file: string, result: PackResult): string[] {
  const notes = result.report.map((note) => `  ${noteText(note)}`);
  if (!result.ok) return [...result.errors.map((error) => errorText(file, error)), ...notes];
  const { version = 1, relevantFiles } = result.pack;
  const summary = `${file}: a valid Context Pack, version ${version}, ${counted(relevantFiles.length, "file")}`;
  return [summary, ...notes];
}

/** `pack.md:12: relevant_files[0].lines: must be …` */
function errorText(file: string, { field, line, message }: PackError): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return `${place}: ${field === "" ? "" : `${field}: `}${message}`;
}

function noteText({ line, message }: PackNote): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}

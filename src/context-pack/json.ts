import { parseYaml } from "../lib/yaml.ts";
import { fromJson } from "./codec.ts";
import { type PackError, shown } from "./pack-error.ts";
import { newFindings, type PackResult, type ReadDraft } from "./reading.ts";
import type { Version1Json, Version2Json } from "./json-shape.ts";
import { validatePack } from "./validate.ts";

/** The pack of a JSON value, or its errors. */
export function packFromJson(value: unknown): PackResult {
  const errors = validatePack(value);
  return errors.length > 0
    ? { ok: false, errors, report: [] }
    : { ok: true, pack: fromJson(value as Version1Json | Version2Json), report: [] };
}

/** Whether normalizing can put an error right: a path that only has to be rewritten or dropped. */
export function isAboutPath(error: PackError): boolean {
  return error.field.endsWith(".path");
}

/** The draft of a JSON text; paths are the only thing that may still be wrong in it. */
export function readJson(text: string): ReadDraft {
  const findings = newFindings();
  const parsed = parseJson(text);
  if (!parsed.ok) {
    findings.errors.push(parsed.error);
    return { draft: {}, findings };
  }
  const errors = [...repeatedKeys(text), ...validatePack(parsed.value)];
  if (errors.every(isAboutPath)) {
    return { draft: fromJson(parsed.value as Version1Json | Version2Json), findings };
  }
  const { placeOf } = parseYaml(text, "");
  findings.errors.push(
    ...errors.map((error) => {
      const line = error.line ?? placeOf(pathOf(error.field))?.line;
      return line === undefined ? error : { ...error, line };
    }),
  );
  return { draft: {}, findings };
}

/** A key given twice, which JSON itself lets pass with the last one winning. */
function repeatedKeys(text: string): PackError[] {
  const repeated = parseYaml(text, "").problems.filter(({ message }) =>
    /twice|unique/.test(message),
  );
  return repeated.map(({ message, place: { line } }) => ({
    field: "(root)",
    ...(line !== undefined && { line }),
    message,
  }));
}

/** `relevant_files[0].path` as a path of keys. */
function pathOf(field: string): (string | number)[] {
  return [...field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, key, index]) => key ?? Number(index));
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false; error: PackError } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(reason);
    const line = text.slice(0, position ? Number(position[1]) : text.length).split("\n").length;
    const mark = text.startsWith("\uFEFF") ? "it starts with a byte order mark" : reason;
    return { ok: false, error: { field: "", line, message: `not JSON: ${shown(mark)}` } };
  }
}

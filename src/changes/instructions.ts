import type { EditFormat } from "../contracts/index.ts";

/** A file of the pack as the prompt shows it. */
export interface PromptFile {
  readonly path: string;
  readonly lines: number;
  /** True: the file does not exist yet. */
  readonly create: boolean;
}

export interface ReplyInstructions {
  readonly tag: string;
  readonly format: EditFormat;
  readonly files: readonly PromptFile[];
  /** With `auto`, files of at most this many lines are asked for whole. */
  readonly wholeFileLines: number;
}

/** The text of a coder's prompt that says how to answer, with one worked example. */
export function replyInstructions(request: ReplyInstructions): string {
  const { tag, files } = request;
  const whole = files.filter((file) => isAskedWhole(file, request));
  const edited = files.filter((file) => !isAskedWhole(file, request));
  const parts = [
    "# How to answer",
    "",
    `Answer with blocks only. Every marker stands alone on its line and ends with the tag ${tag}.`,
  ];
  if (whole.length > 0) {
    parts.push(
      "",
      `Write these files whole: ${list(whole)}.`,
      "",
      `=== FILE: path/of/file === ${tag}`,
      "the complete new contents, every line, nothing left out",
      `=== END === ${tag}`,
    );
  }
  if (edited.length > 0) {
    parts.push(
      "",
      `Change these files in place: ${list(edited)}.`,
      "",
      `=== EDIT: path/of/file === ${tag}`,
      "<<<<<<< SEARCH",
      "current lines, exactly as they are",
      "=======",
      "new lines",
      ">>>>>>> REPLACE",
      `=== END === ${tag}`,
      "",
      "The SEARCH lines must stand in the file exactly once; add lines around them until they do.",
      "One EDIT block may hold several SEARCH blocks.",
    );
  }
  parts.push(
    "",
    `Also: "=== DELETE: path === ${tag}", "=== RENAME: old -> new === ${tag}", and`,
    `"=== NEED: path === ${tag}" for a file you must see first.`,
    "Leave files out that do not change. Touch no other file. No code fences around blocks,",
    'no "..." or "rest unchanged".',
    "",
  );
  return parts.join("\n");
}

function isAskedWhole(file: PromptFile, request: ReplyInstructions): boolean {
  if (file.create || request.format === "whole") return true;
  return request.format === "auto" && file.lines <= request.wholeFileLines;
}

function list(files: readonly PromptFile[]): string {
  return files.map((file) => (file.create ? `${file.path} (new)` : file.path)).join(", ");
}

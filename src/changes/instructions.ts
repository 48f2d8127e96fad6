import type { EditFormat } from "../contracts/index.ts";

/** A file of the pack as the prompt shows it. */
export interface PromptFile {
  readonly path: string;
  readonly lines: number;
  /** True: the file does not exist yet. */
  readonly create: boolean;
}

/** What a coder is asked to write, and how. */
export interface ReplyInstructions {
  /** Derived from the pack's hash; every marker ends with it. */
  readonly tag: string;
  readonly format: EditFormat;
  readonly files: readonly PromptFile[];
  /** With `auto`, files of at most this many lines are asked for whole. */
  readonly wholeFileLines: number;
}

/** The part of a coder's prompt that says how to answer, with one worked example; for small models too. */
export function replyInstructions(request: ReplyInstructions): string {
  const { files, tag } = request;
  const isWhole = files.map((file) => isAskedWhole(file, request));
  const someWhole = isWhole.includes(true) || files.length === 0;
  const someEdits = isWhole.includes(false);
  const parts = [
    "# How to answer",
    "",
    "Answer with blocks. kit writes the files from them; text outside of blocks is not read.",
    `Every marker stands alone on its line and ends with ${tag}.`,
    "",
    ...files.map(
      (file, index) =>
        `- ${named(file)}: ${isWhole[index] === true ? "whole, as FILE" : "as EDIT"}`,
    ),
    "",
    "Example:",
    "",
    ...(someWhole ? wholeExample(tag) : []),
    ...(someEdits ? editExample(tag) : []),
    "Rules:",
    "",
    "- Leave out files that need no change. Touch no others.",
    ...(someWhole ? ["- FILE: every line of the new file, nothing left out or shortened."] : []),
    ...(someEdits
      ? [
          "- EDIT: the SEARCH lines are copied from the file exactly and stand in it only once;",
          "  add lines around them until they do. Several SEARCH blocks may follow each other.",
        ]
      : []),
    "- No code fences around blocks.",
    `- To remove or move a file: === DELETE: path === ${tag} or === RENAME: old -> new === ${tag}`,
    `- If you must see another file first, answer only: === NEED: path === ${tag}`,
    "",
  ];
  return parts.join("\n");
}

function wholeExample(tag: string): readonly string[] {
  return [
    `=== FILE: example/notes.txt === ${tag}`,
    "The greeting is spelled right.",
    `=== END === ${tag}`,
    "",
  ];
}

function editExample(tag: string): readonly string[] {
  return [
    `=== EDIT: example/greet.py === ${tag}`,
    "<<<<<<< SEARCH",
    '    print("helo")',
    "=======",
    '    print("hello")',
    ">>>>>>> REPLACE",
    `=== END === ${tag}`,
    "",
  ];
}

function isAskedWhole(file: PromptFile, request: ReplyInstructions): boolean {
  if (file.create || request.format === "whole") return true;
  return request.format === "auto" && file.lines <= request.wholeFileLines;
}

function named(file: PromptFile): string {
  return file.create ? `${file.path} (new)` : file.path;
}

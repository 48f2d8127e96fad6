import { maxFindings } from "./reply.ts";

/** The form a review is asked for in, for the prompt. */
export const reviewInstructions = `# Your reply

The first line is \`VERDICT: pass\` or \`VERDICT: block\`. Then one finding a line, severe ones
first, at most ${maxFindings}:

- severe \`path:line\` — what goes wrong, with which input or caller, in one sentence
- minor \`path:line\` — the same

\`VERDICT: block\` needs at least one severe finding, and a severe finding names a changed file
and a line of it. Without findings, write the first line only.`;

import { failureKinds } from "../../src/contracts/index.ts";
import { failureTable, type Move } from "../../src/pipeline/index.ts";

/** What each move means for the user. */
const moves: Readonly<Record<Move, string>> = {
  leave_pool: "leave the account until its limit resets (unknown: an hour); next",
  leave_provider: "leave the provider for this run; next",
  other_provider: "a candidate of another provider",
  larger_window:
    "a candidate with a larger context window; where none is left, the same once with a trimmed pack",
  wait_then_same: "wait as told, up to 60 s (unknown: 10 s), once; same candidate; then next",
  retry_then_next: "the same request up to three times in all, waits doubling; then next",
  same_once: "once more on the same candidate; then next",
  same_once_told: "same candidate once, told what was wrong; then next",
  same_told_then_whole:
    "same candidate once, told what was wrong; then once for whole files; then next",
  grow_pack_then_same: "the file joins the pack; same candidate once; then next",
  next: "next",
  next_or_repair: "next; the last candidate is told and repairs once (`repairs`)",
  rerun:
    "the tests ran again, up to three times; where no run can judge, the run ends; no model is blamed",
  stop: "stop",
};

/** `docs/failures.md`: the table of failures as the pipeline reads it. */
export function failureReference(): string {
  const rows = failureKinds.map((kind) => {
    const { seen, move, finder } = failureTable[kind];
    return `| \`${kind}\` | ${seen} | ${moves[move]} | ${finder} |`;
  });
  return `# Failures and what follows

Every attempt that does not succeed has one of these failures; one table in the code decides the
next move. Written by \`npm run generate\` from that table.

| failure | seen when | next move | found by |
|---|---|---|---|
${rows.join("\n")}

Failures of a provider are read from the adapter's structured result, never from the words of a
reply or of test output. Candidates that return no reply are free: only those that do count
against \`--max-attempts\`. Another thinking level of a model is skipped after a failure of its
provider, and may be asked after a failure of its work.
`;
}

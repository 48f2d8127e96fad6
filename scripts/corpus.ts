import { scoreCases, scoreReplies, type Score } from "./corpus-score.ts";

const folder = process.env["KIT_CORPUS_DIR"];
if (folder === undefined) {
  console.error("Set KIT_CORPUS_DIR to a folder of recorded replies; nothing was measured.");
  process.exit(2);
}

const replies = await scoreReplies(folder);
const cases = await scoreCases(folder);
printTable(
  "replies (verified)",
  replies.filter((score) => score.verified),
);
printTable(
  "replies (made by a script only)",
  replies.filter((score) => !score.verified),
);
for (const verdict of ["apply", "reject", "apply-or-reject"] as const) {
  printTable(
    `cases: ${verdict}${verdict === "apply" ? "" : " (to refuse is right)"}`,
    cases.filter((score) => score.verdict === verdict),
  );
}
if (process.argv.includes("--list")) {
  for (const score of [...replies, ...cases]) {
    const kind = score.verdict ?? "reply";
    if (score.result !== "right" && !(score.verdict === "reject" && score.result === "refused")) {
      console.log(`${score.id} ${kind} ${score.result}: ${score.detail}`);
    }
  }
}

function printTable(title: string, scores: readonly Score[]): void {
  const formats = [...new Set(scores.map((score) => score.format))].sort();
  const row = (name: string, of: readonly Score[]): string => {
    const count = (result: Score["result"]): string =>
      String(of.filter((score) => score.result === result).length).padStart(8);
    return `${name.padEnd(16)}${String(of.length).padStart(8)}${count("right")}${count("refused")}${count("wrong")}`;
  };
  console.log(`\n${title}\n${"format".padEnd(16)}     all   right refused   wrong`);
  for (const format of formats)
    console.log(
      row(
        format,
        scores.filter((score) => score.format === format),
      ),
    );
  console.log(row("all", scores));
}

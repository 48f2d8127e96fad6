import { type RepositoryRow, rowsOf } from "./row.ts";

const wrong = "add() { echo $(($1 - $2)); }\n";
const right = "add() { echo $(($1 + $2)); }\n";

/** Red in the runs that `pattern` names with an r, by a count that git does not see. */
const sometimes = (pattern: string): string =>
  `n=$(cat .count 2>/dev/null || echo 0); echo $((n + 1)) > .count
case $(printf %s ${pattern} | cut -c $((n + 1))) in r) echo 'not this time'; exit 1;; esac\n`;

const check = '. ./add.sh\n[ "$(add 2 3)" = 5 ] || { echo "add 2 3: $(add 2 3)"; exit 1; }\n';

/** No report and no count: everything is judged by exit code. */
export const shellRows: readonly RepositoryRow[] = rowsOf(
  {
    language: "shell",
    command: "sh check.sh",
    base: { "add.sh": wrong, "check.sh": check, ".gitignore": ".count\n" },
  },
  [
    {
      name: "a red script turns green",
      change: { "add.sh": right },
      verdict: "fixed",
      evidence: "fixed",
      isQuick: true,
    },
    {
      name: "a red script stays red",
      change: { "add.sh": "add() { echo $(($1 * $2)); }\n" },
      verdict: "unchanged_red",
      isQuick: true,
    },
    {
      name: "a green script turns red",
      base: { "add.sh": right },
      change: { "add.sh": wrong },
      verdict: "regressed",
      isQuick: true,
    },
    {
      name: "a green script stays green",
      base: { "add.sh": right },
      change: { "add.sh": "add() { expr $1 + $2; }\n" },
      verdict: "green",
      evidence: "none",
    },
    {
      name: "a slow script turns green",
      base: { "check.sh": `sleep 1.2\n${check}` },
      change: { "add.sh": right },
      verdict: "fixed",
    },
    {
      name: "a green script hangs with the change",
      base: { "add.sh": right },
      change: { "add.sh": "add() { while :; do sleep 0.05; done; }\n" },
      timeoutMs: 1_000,
      verdict: "regressed",
    },
    {
      name: "a script hangs before and with the change",
      base: { "check.sh": "sleep 30\n" },
      change: { "add.sh": right },
      timeoutMs: 500,
      verdict: "unchanged_red",
    },
    {
      name: "a script is red once and green alone",
      base: { "check.sh": sometimes("rggg") },
      change: { "add.sh": right },
      verdict: "green",
      evidence: "none",
      isQuick: true,
    },
    {
      name: "a script hangs once and is green alone",
      base: { "check.sh": "[ -e .count ] && exit 0; touch .count; sleep 30\n" },
      change: { "add.sh": right },
      timeoutMs: 700,
      verdict: "green",
      evidence: "none",
    },
    {
      name: "a flaky script is green, red with the change, and green again",
      base: { "add.sh": right, "check.sh": sometimes("grgg") },
      change: { "add.sh": "add() { expr $1 + $2; }\n" },
      verdict: "flaky",
      isQuick: true,
    },
    {
      name: "a flaky script is red and green before, and red with the change",
      base: { "check.sh": sometimes("rgrrr") },
      change: { "add.sh": right },
      verdict: "flaky",
    },
    {
      name: "a script stays red beside a flaky command that is green",
      base: { "check.sh": check, "other.sh": sometimes("gggg") },
      command: "sh other.sh && sh check.sh",
      change: { "add.sh": "add() { echo 0; }\n" },
      verdict: "unchanged_red",
    },
    {
      name: "the runner is not installed",
      command: "no-such-runner --all",
      change: { "add.sh": right },
      verdict: "environment",
      isQuick: true,
    },
    {
      name: "the script that the command names does not exist",
      command: "sh no-such-script.sh",
      change: { "add.sh": right },
      verdict: "environment",
    },
    {
      name: "the script is not executable",
      command: "./check.sh",
      change: { "add.sh": right },
      verdict: "environment",
    },
    {
      name: "the script is ended from outside",
      base: { "check.sh": "kill -9 $$\n" },
      change: { "add.sh": right },
      verdict: "environment",
    },
    {
      name: "a source that the script reads ends it with 0",
      change: { "add.sh": `exit 0\n${wrong}` },
      verdict: "weakened",
      isQuick: true,
    },
    {
      name: "TAP says that it runs no test",
      base: { "check.sh": "echo TAP version 13; echo '1..0 # no tests'\n" },
      change: { "add.sh": right },
      verdict: "vacuous",
    },
    {
      name: "the script itself is changed",
      change: { "check.sh": "true\n" },
      verdict: "weakened",
      isQuick: true,
    },
    { name: "the script itself is deleted", change: { "check.sh": null }, verdict: "weakened" },
    {
      name: "a script that the script calls is changed",
      base: { "check.sh": "sh ci/unit.sh\n", "ci/unit.sh": check },
      change: { "ci/unit.sh": "true\n" },
      verdict: "weakened",
    },
    {
      name: "what the script compares with is changed",
      base: { "check.sh": ". ./add.sh\nadd 2 3 | diff - want.txt\n", "want.txt": "5\n" },
      change: { "want.txt": "-1\n" },
      verdict: "weakened",
    },
    {
      name: "the rule of make is changed",
      command: "make test",
      base: { Makefile: "test:\n\tsh check.sh\n" },
      change: { Makefile: "test:\n\ttrue\n" },
      verdict: "weakened",
    },
    {
      name: "a makefile that is read before is new",
      command: "make test",
      base: { Makefile: "test:\n\tsh check.sh\n" },
      change: { GNUmakefile: "test:\n\ttrue\n" },
      verdict: "weakened",
    },
    {
      name: "make has nothing to do",
      command: "make test",
      base: { Makefile: "test: check.sh\n", "test/readme": "" },
      change: { "add.sh": right },
      verdict: "vacuous",
    },
  ],
);

import type { CommandResult, GateResult, TestCase } from "../../contracts/index.ts";
import {
  commandText,
  digest,
  countsOf,
  endedText,
  folderText,
  sourceText,
} from "../../gate/index.ts";
import { counted, formatCount, formatDuration, type Paint } from "./format.ts";
import { printable } from "./printable.ts";

/** Tests shown of one command, the failed ones first. */
const mostRows = 20;

/** Lines shown of what one failed test says. */
const messageLines = 6;

/** Characters shown of the output of red commands whose tests nobody tells apart. */
const outputChars = 4_000;

/** A command with its tests, where they are known, else with what failed in its output. */
export function commandLines(result: CommandResult, root: string, paint: Paint): string[] {
  const { command, ended, durationMs, tests, leftBehind = [], sandbox } = result;
  const isGood = ended.by === "exit" && ended.code === 0;
  const folder = folderText(command, root);
  const where = folder === "." ? "" : ` in ${folder}`;
  const counts = countsOf(result);
  const facts = [
    paint(isGood ? "good" : "bad", endedText(ended)),
    formatDuration(durationMs),
    ...(counts === undefined ? [] : [countsText(counts)]),
    ...(sandbox === undefined ? [] : [sandbox.network ? "sandboxed" : "sandboxed, no network"]),
  ];
  return [
    `${paint("strong", printable(commandText(command)))} (${printable(sourceText(command, root))})${where}`,
    `  ${facts.join(" · ")}`,
    ...(tests === undefined ? [] : testLines(tests, paint)),
    ...(result.reportFault === undefined
      ? []
      : [
          tests === undefined
            ? `  tests not told apart: ${printable(result.reportFault)}`
            : `  ${printable(result.reportFault)}`,
        ]),
    ...leftBehind.map((line) => `  ended, as it was left running: ${printable(line)}`),
  ];
}

/** The failing part of the output, where no list of tests says it. */
export function outputLines({ commands }: GateResult, root: string): string[] {
  const untold = commands.filter(({ tests }) => tests?.some(isFailed) !== true);
  const text = digest(untold, { root, maxChars: outputChars });
  return text === "" ? [] : ["", ...printable(text).split("\n")];
}

function countsText({ ran, failed, skipped }: NonNullable<ReturnType<typeof countsOf>>): string {
  return [
    counted(ran, "test"),
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ].join(", ");
}

const order = { failed: 0, skipped: 1, passed: 2 } as const;
const marks = { failed: "✗", skipped: "–", passed: "✓" } as const;
const tones = { failed: "bad", skipped: "warning", passed: "good" } as const;

function testLines(tests: readonly TestCase[], paint: Paint): string[] {
  const sorted = tests.toSorted((one, other) => order[one.status] - order[other.status]);
  const shown = sorted.slice(0, mostRows);
  const rest = sorted.length - shown.length;
  return [
    ...shown.flatMap(({ id, status, message }) => [
      `  ${paint(tones[status], marks[status])} ${printable(id)}`,
      ...(status === "failed" && message !== undefined ? said(message) : []),
    ]),
    ...(rest === 0 ? [] : [`  … and ${formatCount(rest)} more`]),
  ];
}

function said(message: string): string[] {
  const lines = printable(message.trim()).split("\n");
  const shown = lines.slice(0, messageLines).map((line) => `      ${line}`.trimEnd());
  return lines.length > messageLines ? [...shown, "      …"] : shown;
}

function isFailed({ status }: TestCase): boolean {
  return status === "failed";
}

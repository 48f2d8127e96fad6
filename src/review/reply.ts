import type { FailureOf } from "../contracts/index.ts";
import type { Finding, Review } from "./review.ts";

/** Findings of one review that count. */
export const maxFindings = 7;

/** Characters of one finding's text. */
const maxTextChars = 400;
/** Characters of a reply that are looked at; a review is a few lines. */
const maxReplyChars = 64_000;

export type ReviewResult =
  | { readonly ok: true; readonly review: Review }
  | { readonly ok: false; readonly failure: FailureOf<"format"> };

/**
 * Reads a review as models write it: bullets, numbers, bold, tables of their own words for how
 * bad it is, or one JSON object. What it means is strict: a severe finding counts only where it
 * names one of the changed files and a line; without that it is minor. Blocking needs a severe
 * finding, and a severe finding blocks whatever the first line says.
 *
 * @param changedFiles paths of the change, as the diff names them
 */
export function parseReview(reply: string, changedFiles: readonly string[]): ReviewResult {
  const text = reply.slice(0, maxReplyChars).replace(/\r\n?/g, "\n");
  const said = saidInJson(text) ?? saidInLines(text);
  if (said === undefined)
    return malformed("the reply holds no `VERDICT: pass` or `VERDICT: block`");
  const findings = said.findings
    .map((finding) => weighed(finding, changedFiles))
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, maxFindings);
  const blocks = findings.some(({ severity }) => severity === "severe");
  if (said.verdict === "block" && !blocks) {
    return malformed(
      "it blocks the change without a severe finding that names a changed file and a line of it",
    );
  }
  return { ok: true, review: { blocks, findings } };
}

interface Said {
  readonly verdict: "pass" | "block";
  readonly findings: readonly Finding[];
}

function malformed(message: string): ReviewResult {
  return { ok: false, failure: { kind: "format", message, blocks: [] } };
}

function rank({ severity }: Finding): number {
  return severity === "severe" ? 0 : 1;
}

const verdictLine = /^[\s>#*_`-]*verdict[\s*_`]*[:=–—-]+[\s*_`"]*(?<word>[a-z]+)/im;
const passWords = new Set([
  "pass",
  "passed",
  "passes",
  "approve",
  "approved",
  "accept",
  "accepted",
  "ok",
]);
const blockWords = new Set(["block", "blocked", "blocks", "reject", "rejected", "fail", "failed"]);

function verdictOf(word: string | undefined): Said["verdict"] | undefined {
  const lower = word?.toLowerCase() ?? "";
  if (passWords.has(lower)) return "pass";
  return blockWords.has(lower) ? "block" : undefined;
}

/** Words for how bad a finding is. What is not listed is no finding. */
const severities: ReadonlyMap<string, Finding["severity"]> = new Map([
  ...["severe", "critical", "blocker", "blocking", "major", "high", "error", "p0", "p1"].map(
    (word) => [word, "severe"] as const,
  ),
  ...["minor", "medium", "moderate", "low", "nit", "info", "warning", "trivial", "p2", "p3"].map(
    (word) => [word, "minor"] as const,
  ),
]);

const findingLinePattern =
  /^\s*(?:[-*+•]|\d+[.)])?\s*[[(*_`]*(?<word>[a-z]\w+)[\])*_`]*\s*[:—–-]?\s*(?<rest>\S.*)$/i;

function saidInLines(text: string): Said | undefined {
  const verdict = verdictOf(verdictLine.exec(text)?.groups?.["word"]);
  const findings = text.split("\n").flatMap((line): Finding[] => {
    const { word = "", rest = "" } = findingLinePattern.exec(line)?.groups ?? {};
    const severity = severities.get(word.toLowerCase());
    return severity === undefined ? [] : [{ severity, ...placed(rest) }];
  });
  if (verdict !== undefined) return { verdict, findings };
  return findings.some(({ severity }) => severity === "severe")
    ? { verdict: "block", findings }
    : undefined;
}

const placePattern =
  /^[*_`[(]*(?<file>[^\s`*:#()[\]]+\.[\w-]+|[^\s`*:#()[\]]*\/[^\s`*:#()[\]]+)[`*_]*(?:(?::|#L|,?\s*\(?lines?\s+|\s+L)(?<line>\d{1,7}))?(?:\s*[-–:]\s*L?\d+)?[`*_\])]*\s*[:—–-]*\s*(?<text>.*)$/i;

function placed(rest: string): Omit<Finding, "severity"> {
  const { file, line, text } = placePattern.exec(rest)?.groups ?? {};
  if (file === undefined) return { text: shortened(rest) };
  return {
    file,
    ...(line !== undefined && { line: Number(line) }),
    text: shortened(text ?? ""),
  };
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > maxTextChars ? `${line.slice(0, maxTextChars - 1)}…` : line;
}

/** A severe finding without a place in the change is a doubt: minor. */
function weighed(finding: Finding, changedFiles: readonly string[]): Finding {
  const { file, ...rest } = finding;
  const known = file === undefined ? undefined : changedFileOf(file, changedFiles);
  const isPlaced = known !== undefined && rest.line !== undefined && rest.line > 0;
  return {
    ...rest,
    ...(file !== undefined && { file: known ?? file }),
    severity: isPlaced && rest.text !== "" ? rest.severity : "minor",
  };
}

/** The one changed file that a name means: whole, with `a/` or `b/` of a diff, or by its end. */
function changedFileOf(name: string, changedFiles: readonly string[]): string | undefined {
  const bare = name.replace(/^(?:\.\/|[ab]\/)/, "");
  const exact = changedFiles.find((path) => path === name || path === bare);
  if (exact !== undefined) return exact;
  const [only, ...others] = changedFiles.filter((path) => path.endsWith(`/${bare}`));
  return others.length === 0 ? only : undefined;
}

/** A reply that is one JSON object, fenced or not, with a verdict. */
function saidInJson(text: string): Said | undefined {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start === -1 || end < start || !/^\s*(?:```\w*\s*)?$/.test(text.slice(0, start))) {
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(text.slice(start, end + 1));
  } catch {
    return undefined;
  }
  const { verdict, findings } = value as { verdict?: unknown; findings?: unknown };
  const word = typeof verdict === "string" ? verdictOf(verdict) : undefined;
  if (word === undefined) return undefined;
  return { verdict: word, findings: Array.isArray(findings) ? findings.flatMap(findingOf) : [] };
}

function findingOf(value: unknown): Finding[] {
  if (typeof value !== "object" || value === null) return [];
  const { severity, file, path, line, text, message } = value as Record<string, unknown>;
  const known = typeof severity === "string" ? severities.get(severity.toLowerCase()) : undefined;
  const said = [text, message].find((each) => typeof each === "string");
  const place = [file, path].find((each) => typeof each === "string");
  if (known === undefined || said === undefined) return [];
  const number = Number(line);
  return [
    {
      severity: known,
      ...(place !== undefined && { file: place }),
      ...(Number.isInteger(number) && number > 0 && { line: number }),
      text: shortened(said),
    },
  ];
}

import type { ContextItem, ContextPack } from "../contracts/index.ts";
import { profileTokens } from "./budget-profiles.ts";
import {
  constraintText,
  discoveryJson,
  fromJson,
  keep,
  listFields,
  type PackDraft,
  present,
  textFields,
} from "./codec.ts";
import type { Version1Json } from "./json-shape.ts";

/** A version 1 rendering and what it could not say, in words. */
export interface Version1Rendering {
  readonly json: Version1Json;
  readonly dropped: readonly string[];
}

/** The pack of a version 1 JSON value that `validatePack` found right; nothing is added. */
export function fromVersion1(json: Version1Json): ContextPack {
  return fromJson(json);
}

/**
 * A pack as version 1 writes it. What version 2 added finds the place that CONTEXT-PACK gives
 * it: scope in the constraints, decisions in the rules, criteria in the goal, and so on. A pack
 * read from version 1 comes out as it was.
 */
export function toVersion1(pack: ContextPack): Version1Rendering {
  const { json, dropped } = draftToVersion1(pack);
  return { json: json as Version1Json, dropped };
}

/** `toVersion1` of a pack that may lack fields, for the validator. */
export function draftToVersion1(pack: PackDraft): {
  readonly json: Partial<Version1Json>;
  readonly dropped: readonly string[];
} {
  const lowered = lower(pack);
  const dropped =
    pack.parent !== undefined && pack.producedBy !== undefined
      ? [`parent "${pack.parent}": version 1 has no field beside produced_by`]
      : [];
  const maxTokens =
    pack.budget?.maxTokens ?? (pack.budget?.profile && profileTokens[pack.budget.profile]);
  const json: Partial<Version1Json> = {
    ...textFields(lowered),
    ...keep("constraints", lowered.constraints?.map(constraintText)),
    ...discoveryJson(lowered.discovery),
    ...keep("relevant_files", pack.relevantFiles?.flatMap(oneItemPerRange)),
    ...listFields(lowered),
    ...keep("expected_output", pack.expectedOutput),
    ...present("capability", pack.capability),
    ...present("produced_by", pack.producedBy ?? pack.parent),
    ...(maxTokens !== undefined && { budget: { max_tokens: maxTokens } }),
    ...(pack.version === 1 && { version: 1 as const }),
  };
  return { json, dropped };
}

function oneItemPerRange(
  file: ContextPack["relevantFiles"][number],
): Version1Json["relevant_files"] {
  const { lines, ...rest } = file;
  return lines === undefined || lines.length === 0
    ? [rest]
    : lines.map((range) => ({
        path: file.path,
        ...present("reason", file.reason),
        lines: range,
        ...present("create", file.create),
      }));
}

/** The version 2 fields moved into the fields of version 1; the table of CONTEXT-PACK. */
function lower(pack: PackDraft): PackDraft {
  const rules = (pack.contextItems ?? []).filter(isRule);
  const findings = (pack.contextItems ?? []).filter((item) => !isRule(item));
  const criteria = (pack.successCriteria ?? []).map(
    ({ text, check }) => `- ${text}${check === undefined ? "" : ` (check: ${check})`}`,
  );
  const note = [
    pack.discovery?.note ?? "",
    pack.completeness === undefined ? "" : `completeness: ${pack.completeness}`,
    ...(pack.warnings ?? []).map((warning) => `warning: ${warning}`),
    pack.tokenEstimate === undefined ? "" : `estimated tokens: ${pack.tokenEstimate}`,
  ].filter((line) => line !== "");
  return {
    ...pack,
    ...(pack.goal !== undefined &&
      criteria.length > 0 && { goal: [pack.goal, "", "Done when:", ...criteria].join("\n") }),
    ...(pack.constraints && {
      constraints: [...pack.constraints, ...(pack.scope ?? []).map((text) => ({ text }))],
    }),
    ...(note.length > 0 && {
      discovery: { status: pack.discovery?.status ?? "found", note: note.join("\n") },
    }),
    repoRules: [
      ...(pack.repoRules ?? []),
      ...(pack.decisions ?? []).map(
        ({ choice, because, source }) =>
          `${choice} — because ${because}${source === undefined ? "" : ` (${source})`}`,
      ),
      ...rules.map(itemText),
    ],
    observedErrors: [...(pack.observedErrors ?? []), ...findings.map(itemText)],
    previousAttempts: [
      ...(pack.previousAttempts ?? []),
      ...(pack.filesTouched ?? []).map(({ path, note: done }) => ({
        summary: `${path}: ${done}`,
        outcome: "in progress",
      })),
      ...(pack.progress ?? []).map((summary) => ({ summary, outcome: "in progress" })),
    ],
  };
}

/** Only what the project itself settled may read as a rule; a finding never does. */
function isRule(item: ContextItem): boolean {
  return item.authority === "policy" || item.authority === "instruction";
}

function itemText(item: ContextItem): string {
  return `${item.summary} (${item.source})`;
}

const version2Keys = [
  "scope",
  "decisions",
  "successCriteria",
  "filesTouched",
  "progress",
  "parent",
  "contextItems",
  "completeness",
  "warnings",
  "tokenEstimate",
] as const satisfies (keyof ContextPack)[];

/** Whether version 1 would have to put anything of the pack into another field. */
export function needsVersion2(pack: PackDraft): boolean {
  return (
    version2Keys.some((key) => pack[key] !== undefined) ||
    (pack.relevantFiles ?? []).some((file) => (file.lines?.length ?? 0) > 1) ||
    pack.budget?.profile !== undefined
  );
}

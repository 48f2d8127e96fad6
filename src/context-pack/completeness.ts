import type { ContextPack } from "../contracts/index.ts";
import { measurePack } from "./budget.ts";

/**
 * `full`: goal, verifiable criteria, files (or discovery `none`), constraints, all recorded
 * failures, test commands; `partial`: one is missing; `minimal`: more are.
 */
export function completenessOf(
  pack: ContextPack,
  recordedFailures = 0,
): NonNullable<ContextPack["completeness"]> {
  const parts = [
    pack.goal !== "",
    (pack.successCriteria ?? []).length > 0,
    pack.relevantFiles.length > 0 || pack.discovery?.status === "none",
    pack.constraints.length > 0,
    (pack.previousAttempts ?? []).length >= recordedFailures,
    (pack.testCommands ?? []).length > 0,
  ];
  const absent = parts.filter((isThere) => !isThere).length;
  if (absent === 0) return "full";
  return absent === 1 ? "partial" : "minimal";
}

/** The pack as version 2 with the fields that kit computes, never taken from a model. */
export function withComputedFields(
  pack: ContextPack,
  {
    recordedFailures = 0,
    warnings = [],
    fileContents = [],
  }: {
    readonly recordedFailures?: number;
    readonly warnings?: readonly string[];
    readonly fileContents?: readonly string[];
  } = {},
): ContextPack {
  const { warnings: _, tokenEstimate: __, ...own } = pack;
  const computed: ContextPack = {
    ...own,
    version: 2,
    completeness: completenessOf(pack, recordedFailures),
    ...(warnings.length > 0 && { warnings }),
  };
  return { ...computed, tokenEstimate: measurePack(computed, fileContents) };
}

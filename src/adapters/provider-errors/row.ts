import type { FailureKind } from "../../contracts/index.ts";

/**
 * One thing providers say when a call fails. A row holds when every condition it gives does;
 * the first row that holds decides. Conditions on `text` are only ever tried on an error's own
 * text, never on a reply.
 */
export interface ProviderErrorRow {
  readonly kind: FailureKind;
  /** HTTP status: one, several, or a class such as `5xx`; `none` = the error had no status. */
  readonly status?: readonly (number | "5xx" | "none")[];
  /** The error's `type`, `code`, `status` word or reason, any of them. */
  readonly code?: RegExp;
  /** The error's message. */
  readonly text?: RegExp;
  /** Only for this pi provider, where a message alone would be ambiguous. */
  readonly provider?: RegExp;
  /** Whose message `example` is. */
  readonly from: string;
  /** Its message, in the form pi 1.x (or, where said, pi 0.73) reports it. */
  readonly example: string;
}

/** A row, its evidence last. */
export function row(
  kind: FailureKind,
  from: string,
  conditions: Omit<ProviderErrorRow, "kind" | "from" | "example">,
  example: string,
): ProviderErrorRow {
  return { kind, from, ...conditions, example };
}

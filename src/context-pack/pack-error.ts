/** One thing that is wrong in a pack. `field` is dotted JSON notation: `relevant_files[0].lines`. */
export interface PackError {
  readonly field: string;
  /** Line of the text the pack was read from, from 1. */
  readonly line?: number;
  /** What is wrong and what is allowed, without the field's name. */
  readonly message: string;
}

/** Something a lenient reader or `normalizePack` forgave or left out, in words. */
export interface PackNote {
  /** Line of the text, from 1. */
  readonly line?: number;
  readonly message: string;
}

export const missing = "is missing";

/**
 * All errors in one line: `goal, constraints missing; relevant_files[0].lines: must be …`.
 * Missing fields are named together, as their reader adds them together.
 */
export function describePackErrors(errors: readonly PackError[]): string {
  const absent = errors.filter((error) => error.message === missing).map((error) => error.field);
  const others = errors.filter((error) => error.message !== missing);
  return [
    ...(absent.length > 0 ? [`${absent.join(", ")} missing`] : []),
    ...others.map((error) => {
      const place = error.line === undefined ? "" : ` (line ${error.line})`;
      return error.field === ""
        ? `${error.message}${place}`
        : `${error.field}${place}: ${error.message}`;
    }),
  ].join("; ");
}

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

/** Errors told one by one; a pack can hold thousands. */
const toldErrors = 8;

/**
 * All errors in one line: `goal, constraints missing; relevant_files[0].lines: must be …`.
 * Missing fields are named together, and after the first eight others only their number.
 */
export function describePackErrors(errors: readonly PackError[]): string {
  const absent = errors.filter((error) => error.message === missing).map((error) => error.field);
  const others = errors.filter((error) => error.message !== missing);
  return [
    ...(absent.length > 0 ? [`${absent.join(", ")} missing`] : []),
    ...others.slice(0, toldErrors).map(({ field, line, message }) => {
      const place = line === undefined ? "" : ` (line ${line})`;
      return field === "" ? `${message}${place}` : `${field}${place}: ${message}`;
    }),
    ...(others.length > toldErrors ? [`and ${others.length - toldErrors} more`] : []),
  ].join("; ");
}

/** A text of the pack as a message shows it: one line, shortened. */
export function shown(text: string): string {
  const line = text.replaceAll(/[\0-\x1f\x7f]+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

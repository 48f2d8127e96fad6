import { decodeUtf8 } from "../../lib/text.ts";

/** Three versions of one file. */
export interface ThreeVersions {
  /** What kit wrote: both others come from it. */
  readonly base: Uint8Array;
  /** As the file is now. */
  readonly yours: Uint8Array;
  /** As it was before the run. */
  readonly before: Uint8Array;
}

export interface Merged {
  readonly bytes: Buffer;
  /** Places where both sides changed the same lines; they are marked in the text. */
  readonly conflicts: number;
}

/** Comparing is quadratic in the lines that differ. */
const mostBytes = 4 * 1024 * 1024;

/** Takes kit's change back line by line and keeps the user's; undefined where the files are no text. */
export async function mergeThree({
  base,
  yours,
  before,
}: ThreeVersions): Promise<Merged | undefined> {
  const texts = [yours, base, before].map(textOf);
  const [ours, origin, theirs] = texts;
  if (ours === undefined || origin === undefined || theirs === undefined) return undefined;
  const { diff3Merge } = await import("node-diff3");
  const end = ours.includes("\r\n") ? "\r\n" : "\n";
  let conflicts = 0;
  const parts = diff3Merge(linesOf(ours), linesOf(origin), linesOf(theirs)).map((part) => {
    if (part.ok) return part.ok.join("");
    if (!part.conflict) return "";
    conflicts += 1;
    const { a, b } = part.conflict;
    return [
      `<<<<<<< as it was until now${end}`,
      ended(a.join(""), end),
      `=======${end}`,
      ended(b.join(""), end),
      `>>>>>>> before the run of kit${end}`,
    ].join("");
  });
  return { bytes: Buffer.from(parts.join("")), conflicts };
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > mostBytes || bytes.includes(0)) return undefined;
  return decodeUtf8(bytes);
}

/** With their line ends, so that nothing but whole lines is compared. */
function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function ended(text: string, end: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}${end}`;
}

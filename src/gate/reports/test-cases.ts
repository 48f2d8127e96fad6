import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestCase } from "../../contracts/index.ts";
import { redact } from "../../lib/redaction.ts";
import { headAndTail, sha256, stripColour } from "../../lib/text.ts";
import type { ReportedTest } from "./reading.ts";

/** Where the names of a report are looked up. */
export interface TestPlaces {
  /** Absolute top level of the repository, and the folder the command ran in. */
  readonly root: string;
  readonly cwd: string;
  /** True for an absolute path of a file that is there. */
  readonly isFile: (path: string) => boolean;
}

const maxIdChars = 400;
const maxMessageChars = 2_000;
/** Of so many failed tests the messages are kept; the digest shows fewer. */
const maxMessages = 200;

/** Folders whose names differ from run to run. */
const temporary =
  /(?:file:\/\/)?(?:\/private)?(?:\/tmp|\/var\/tmp|\/var\/folders)\/[^\s"'`)\]}:,;]*/g;

/**
 * Gives each test its id: file, suites and name, joined by ` › `. Paths of the repository become
 * relative, temporary ones `<temporary>`, runs of white space one space; a long id is cut and
 * keeps a hash of the whole. The second of two equal ones gets ` (2)`.
 */
export function testCases(
  reported: readonly ReportedTest[],
  places: TestPlaces,
): readonly TestCase[] {
  const nameFile = fileNamer(places);
  const files = reported.map(({ file }) => (file === undefined ? undefined : nameFile(file)));
  const bases = masked(
    reported.map(({ names }, index) => {
      const file = files[index];
      const parts = names.map((name) => plain(name, places));
      return (file === undefined ? parts : [file.name, ...parts]).join(" › ") || "(without a name)";
    }),
  ).map(bounded);
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  let messages = 0;
  return reported.map(({ status, message }, index) => {
    const file = files[index];
    const base = bases[index] ?? "";
    let count = (counts.get(base) ?? 0) + 1;
    const numbered = (): string => (count === 1 ? base : `${base} (${count})`);
    while (taken.has(numbered())) count += 1;
    counts.set(base, count);
    const id = numbered();
    taken.add(id);
    const why =
      message !== undefined && message !== "" && messages < maxMessages ? message : undefined;
    if (why !== undefined) messages += 1;
    return {
      id,
      status,
      ...(file?.isInside === true && { file: file.name }),
      ...(why !== undefined && { message: messageOf(why, places) }),
    };
  });
}

/** A file as ids name it. */
interface NamedFile {
  readonly name: string;
  /** False for one outside of the repository: it is named by its last two names. */
  readonly isInside: boolean;
}

/** A file as written → relative to the root, with slashes. */
function fileNamer(places: TestPlaces): (file: string) => NamedFile {
  const known = new Map<string, NamedFile>();
  return (file) => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const path = relative(places.root, placeOf(file, places));
    const isInside = !isOutside(path);
    const shown = isInside ? path : path.split(sep).slice(-2).join("/");
    const named = { name: plain(shown.replaceAll(sep, "/"), places), isInside };
    known.set(file, named);
    return named;
  };
}

/** pytest writes paths from its own root, which may lie above the folder of the command. */
function placeOf(written: string, { root, cwd, isFile }: TestPlaces): string {
  const file = written.startsWith("file://") ? pathOfUrl(written) : written;
  if (isAbsolute(file)) return file;
  const nearest = resolve(cwd, file);
  for (let folder = cwd; ; folder = resolve(folder, "..")) {
    const place = resolve(folder, file);
    if (isFile(place)) return place;
    if (folder === root || folder === resolve(folder, "..")) return nearest;
  }
}

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}

function isOutside(path: string): boolean {
  return path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
}

function plain(name: string, { root }: TestPlaces): string {
  const short = name.length > 4 * maxIdChars ? name.slice(0, 4 * maxIdChars) : name;
  const line = stripColour(short)
    .replaceAll(
      /[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g,
      " ",
    )
    .trim();
  return line.includes("/")
    ? line.replaceAll(`${root}/`, "").replaceAll(root, ".").replaceAll(temporary, "<temporary>")
    : line;
}

/** Looks at all at once: hardly ever is there a secret, and one by one takes three times as long. */
function masked(texts: readonly string[]): readonly string[] {
  const all = texts.join("\n");
  return redact(all) === all ? texts : texts.map(redact);
}

function bounded(id: string): string {
  if (id.length <= maxIdChars) return id;
  return `${id.slice(0, maxIdChars - 14).trimEnd()}… ${sha256(id).slice(0, 12)}`;
}

function messageOf(message: string, { root }: TestPlaces): string {
  const short = headAndTail(message, 4 * maxMessageChars);
  const text = redact(stripColour(short))
    .replaceAll(`file://${root}/`, "")
    .replaceAll(`${root}/`, "");
  return headAndTail(text.trim(), maxMessageChars);
}

import type { RepoPath } from "../contracts/index.ts";
import { protectedEntries } from "./protected-entries.ts";

export type WritePathResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string };

/** Bytes; one name on ext4, APFS and NTFS. */
const maxNameBytes = 255;
/** Bytes; a whole path on macOS (PATH_MAX 1024) with room for the repository's own. */
const maxPathBytes = 1000;

/**
 * Whether kit may write (create, change, delete, move) a path; says nothing of the disk.
 * `named`: paths or folders that the user named, never text of a model or a pack; they open
 * protected entries, but neither `.git` nor `.kit`, nor names that some system cannot hold.
 * `hookFolders`: further hook folders, relative to the root (`core.hooksPath`).
 */
export function checkWritePath(
  path: RepoPath,
  named: ReadonlySet<string>,
  hookFolders: readonly string[] = [],
): WritePathResult {
  const segments = path.split("/");
  const reason =
    neverWritten(segments) ??
    notPortable(path, segments) ??
    protectedPath(segments, named, hookFolders);
  return reason === undefined ? { ok: true } : { ok: false, reason };
}

/** The part of the policy that no one can lift: `.git` and `.kit` in every disguise. */
export function isKitOrGitPath(path: RepoPath): boolean {
  return neverWritten(path.split("/")) !== undefined;
}

function neverWritten(segments: readonly string[]): string | undefined {
  for (const segment of segments) {
    if (standsFor(segment, ".git")) return `${quote(segment)} is git's own`;
    if (standsFor(segment, ".kit")) return `${quote(segment)} is kit's own`;
  }
  return undefined;
}

/**
 * Whether some file system takes a segment for `name` (lower case): HFS+ and APFS ignore code
 * points, NTFS drops trailing dots, blanks and `:stream` and knows `.gitmodules` as `GITMOD~1`,
 * all of them may ignore case (git: is_hfs_dotgit, is_ntfs_dotgit).
 */
function standsFor(segment: string, name: string): boolean {
  return isNamed(plain(segment), name);
}

/** A segment without what some file system passes over. */
function plain(segment: string): string {
  return fold(segment)
    .replace(/:.*$/s, "")
    .replace(/[\s.]+$/, "")
    .trimStart();
}

function isNamed(plain: string, name: string): boolean {
  if (plain === name) return true;
  const [short = ""] = name.replace(/^\./, "").split(".");
  return /~\d+(?:\.|$)/.test(plain) && plain.startsWith(`${short.slice(0, 6)}~`);
}

/** Case folded both ways: `ı` and `ſ` have no lower case of their own. */
function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase()
    .toLowerCase();
}

/** Rules of Windows, checked everywhere: a repository is cloned there too. Tested on one segment. */
const segmentRules: readonly {
  readonly breaks: (segment: string) => boolean;
  readonly reason: string;
}[] = [
  {
    breaks: (name) => /[\u0000-\u001f\u007f-\u009f]/.test(name),
    reason: "holds a control character",
  },
  { breaks: (name) => /[<>:"|?*\\]/.test(name), reason: 'holds one of < > : " | ? * \\' },
  { breaks: (name) => /[.\s]$/u.test(name), reason: "ends in a dot or a blank" },
  { breaks: isDeviceName, reason: "is a device name on Windows" },
  {
    breaks: (name) => !name.isWellFormed() || name.includes("\ufffd"),
    reason: "is not valid UTF-8",
  },
  {
    // Overrides and isolates show a name in another order than it has; the others are invisible ends of lines.
    breaks: (name) => /[\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/.test(name),
    reason: "holds a character that hides or reorders others",
  },
  {
    breaks: (name) => Buffer.byteLength(name) > maxNameBytes,
    reason: `is longer than ${maxNameBytes} bytes`,
  },
];

function notPortable(path: RepoPath, segments: readonly string[]): string | undefined {
  if (Buffer.byteLength(path) > maxPathBytes)
    return `the path is longer than ${maxPathBytes} bytes`;
  for (const segment of segments) {
    const rule = segmentRules.find(({ breaks }) => breaks(segment));
    if (rule !== undefined) return `${quote(segment)} ${rule.reason}`;
  }
  return undefined;
}

/** Windows takes the name up to the first dot, less blanks; COM¹ to COM³ count as COM1 to COM3. */
function isDeviceName(segment: string): boolean {
  const stem = (segment.split(/[.:]/, 1)[0] ?? "").trim();
  return /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])$/i.test(stem);
}

function protectedPath(
  segments: readonly string[],
  named: ReadonlySet<string>,
  hookFolders: readonly string[],
): string | undefined {
  const isNamedFrom = (length: number): boolean =>
    segments.some(
      (_, index) => index + 1 >= length && named.has(segments.slice(0, index + 1).join("/")),
    );
  const plainOnes = segments.map(plain);
  const isAt = (start: number, wanted: readonly string[]): boolean =>
    wanted.every((name, offset) => isNamed(plainOnes[start + offset] ?? "", name));
  for (const { entry, because } of protectedEntries) {
    const wanted = entry.split("/");
    const start = segments.findIndex((_, index) => isAt(index, wanted));
    if (start !== -1 && !isNamedFrom(start + wanted.length)) {
      return `${entry} is protected (${because}); name the path yourself to allow it`;
    }
  }
  for (const folder of hookFolders) {
    const wanted = folder.split("/").map(fold);
    if (isAt(0, wanted) && !isNamedFrom(wanted.length)) {
      return `${folder} is protected (git runs hooks from it); name the path yourself to allow it`;
    }
  }
  return undefined;
}

/** A name as a person can read it: quoted, with control and invisible characters escaped. */
function quote(segment: string): string {
  const shown = segment.length > 60 ? `${segment.slice(0, 60)}…` : segment;
  return JSON.stringify(shown).replaceAll(
    /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

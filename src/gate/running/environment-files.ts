import {
  constants,
  type Dirent,
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isSecretFile, redact } from "../../lib/redaction.ts";

/** Bounds of what is read: files in all, bytes a file, folders up from where a command runs. */
const maxFiles = 50;
const maxBytes = 64 * 1024;
const maxFolders = 8;

/** Below the command's folder: levels, and folders in all. */
const maxDepth = 3;
const maxFoldersBelow = 500;

/** Shorter values stand in any text by chance. */
const leastChars = 8;

/**
 * Secret values in the `.env*` files of a folder, of those above it up to the repository's top
 * level, and of those up to three levels below: a test that prints one bare gives no name by which
 * it is known. A value counts when `NAME=value` is masked, or when it looks like a token: 20
 * characters or more, digits among them. Each comes with the forms in which reports write it.
 */
export function environmentFileSecrets(folder: string): readonly string[] {
  const files = [...filesAbove(folder), ...filesBelow(folder)].slice(0, maxFiles);
  return [...new Set(files.flatMap((file) => secretsIn(readStart(file))))];
}

function filesAbove(folder: string): readonly string[] {
  const files: string[] = [];
  let current = folder;
  for (let level = 0; level < maxFolders; level += 1) {
    const entries = entriesOf(current);
    files.push(...environmentFilesOf(current, entries));
    if (entries.some(({ name }) => name === ".git") || dirname(current) === current) break;
    current = dirname(current);
  }
  return files;
}

/** The nearest first; no link is followed. */
function filesBelow(folder: string): readonly string[] {
  const files: string[] = [];
  let level = foldersOf(folder, entriesOf(folder));
  let seen = 0;
  for (let depth = 1; depth <= maxDepth; depth += 1) {
    const next: string[] = [];
    for (const below of level.slice(0, maxFoldersBelow - seen)) {
      const entries = entriesOf(below);
      files.push(...environmentFilesOf(below, entries));
      next.push(...foldersOf(below, entries));
    }
    seen += level.length;
    if (seen >= maxFoldersBelow || files.length >= maxFiles) break;
    level = next;
  }
  return files;
}

function environmentFilesOf(folder: string, entries: readonly Dirent[]): string[] {
  return entries
    .filter(({ name }) => isEnvironmentFile(name))
    .map(({ name }) => join(folder, name));
}

function foldersOf(folder: string, entries: readonly Dirent[]): string[] {
  return entries
    .filter(
      (entry) => entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git",
    )
    .map(({ name }) => join(folder, name));
}

/** The text with the values masked; a longer one before one that is part of it. */
export function hideValues(text: string, values: readonly string[]): string {
  return values
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, value) => rest.replaceAll(value, "[redacted]"), text);
}

function isEnvironmentFile(name: string): boolean {
  return /^\.env(?:\.|$)/.test(name) && isSecretFile(name);
}

/** As dotenv reads it: a quoted value may go over several lines and hold escapes. */
const assignment =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.]*)[ \t]*=[ \t]*(?:(["'`])((?:\\[\s\S]|(?!\2)[^\\])*)\2[ \t]*(?:#.*)?\r?$|(.*)$)/gm;

function secretsIn(text: string): string[] {
  return [...text.matchAll(assignment)].flatMap(([, name = "", , quoted, bare = ""]) => {
    const value = quoted ?? bare.replace(/\s+#.*$/, "").trim();
    if (value.length < leastChars) return [];
    const line = `${name}=${value}`;
    if (redact(line) === line && !isTokenLike(value)) return [];
    return [value, unescaped(value)]
      .flatMap((form) => [form, ...linesOf(form), ...inUrl(form)])
      .flatMap(writings);
  });
}

function unescaped(value: string): string {
  return value.replaceAll(/\\(?:r\\n|[\s\S])/g, (escape) => {
    if (escape === "\\n" || escape === "\\r\\n") return "\n";
    return escape.slice(1);
  });
}

/** A runner shows a long text line by line. The markers around a key are no secret. */
function linesOf(value: string): string[] {
  return value
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= leastChars && !line.startsWith("-----"));
}

/** As it stands, in an address and in JSON. */
function writings(value: string): string[] {
  // A half of a surrogate pair cannot stand in an address.
  const inAddress = encodeURIComponent(value.toWellFormed());
  return [value, inAddress, JSON.stringify(value).slice(1, -1)];
}

/** A password in an address is also printed alone. */
function inUrl(value: string): string[] {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@:]*:([^\s/?#@]+)@/i.exec(value)?.[1] ?? "";
  return password.length < leastChars ? [] : [password];
}

function isTokenLike(value: string): boolean {
  return /^[\w+=-]{20,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The start of a regular file; nothing of a pipe, a device or a link. */
function readStart(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!fstatSync(descriptor).isFile()) return "";
    const buffer = Buffer.alloc(maxBytes);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, maxBytes, 0));
  } catch {
    return "";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

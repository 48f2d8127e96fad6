import { constants, closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSecretFile, redact } from "../../lib/redaction.ts";

/** Bounds of what is read: files a folder, bytes a file, folders up from where a command runs. */
const maxFiles = 20;
const maxBytes = 64 * 1024;
const maxFolders = 8;

/** Shorter values stand in any text by chance. */
const leastChars = 8;

/**
 * Secret values in the `.env*` files of a folder and of those above it, up to the repository's top
 * level: a test that prints one bare gives no name by which it is known. A value counts when
 * `NAME=value` is masked, or when it looks like a token: 20 characters or more, digits among them.
 */
export function environmentFileSecrets(folder: string): readonly string[] {
  const values = new Set<string>();
  let current = folder;
  for (let level = 0; level < maxFolders; level += 1) {
    const names = entriesOf(current);
    for (const name of names.filter(isEnvironmentFile).slice(0, maxFiles)) {
      for (const value of secretsIn(readStart(join(current, name)))) values.add(value);
    }
    if (names.includes(".git") || dirname(current) === current) break;
    current = dirname(current);
  }
  return [...values];
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

function secretsIn(text: string): string[] {
  return [...text.matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/gm)].flatMap(
    ([, name = "", given = ""]) => {
      const value = /^(["'`])(.*)\1$/.exec(given)?.[2] ?? given.replace(/\s+#.*$/, "");
      if (value.length < leastChars) return [];
      const line = `${name}=${value}`;
      return redact(line) !== line || isTokenLike(value)
        ? [...new Set([value, ...inUrl(value)])]
        : [];
    },
  );
}

/** A password in an address is also printed alone. */
function inUrl(value: string): string[] {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@:]*:([^\s/?#@]+)@/i.exec(value)?.[1] ?? "";
  return password.length < leastChars ? [] : [password];
}

function isTokenLike(value: string): boolean {
  return /^[\w+=-]{20,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
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

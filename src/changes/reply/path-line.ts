import { resolvePath, stripDecoration, type ReplyScope, type ResolvedPath } from "./scope.ts";

/** A line that names a file, and nothing else. */
export interface PathClaim {
  readonly resolved: ResolvedPath;
  /** Written as `File: path`: a marker, not only a caption. */
  readonly isLabelled: boolean;
  readonly isListItem: boolean;
}

const heading = /^#{1,6}\s+/;
const listItem = /^(?:\d{1,3}[.)]|[-*+•])\s+/;
const label =
  /^(?:\*\*)?(?:(?:new|updated?|modified|created?|edit)\s)?(?:file|filename|file name|path|file path|filepath)(?:\*\*)?\s?:(?:\*\*)?\s*/i;
const note = /\s*(?:\((?:[^()]{1,40})\)|\[(?:new|updated|modified)\])$/i;
const maxLength = 400;

/**
 * Reads a line as the caption of a block: a path in any dress (heading, list item, bold, backticks,
 * `File:`, a note such as "(new)", a colon). A sentence that mentions a path is no caption.
 */
export function readPathLine(line: string, scope: ReplyScope): PathClaim | undefined {
  let text = line.trim();
  if (text === "" || text.length > maxLength) return undefined;
  const literal = resolvePath(text, scope);
  if (literal.kind === "listed") return { resolved: literal, isLabelled: false, isListItem: false };
  text = text.replace(heading, "");
  const unlisted = text.replace(listItem, "");
  const isListItem = unlisted !== text;
  const bare = undecorate(unlisted);
  const named = bare.replace(label, "");
  const isLabelled = named !== bare;
  const candidates = captionForms(named);
  for (const candidate of candidates) {
    const resolved = resolvePath(candidate, scope);
    if (resolved.kind === "listed") return { resolved, isLabelled, isListItem };
  }
  const path = candidates.find((candidate) => looksLikePath(candidate));
  return path === undefined
    ? undefined
    : { resolved: resolvePath(path, scope), isLabelled, isListItem };
}

/** The caption as it stands, then without its colon, its note and its decoration. */
function captionForms(text: string): readonly string[] {
  const plain = undecorate(text);
  const withoutColon = undecorate(plain.replace(/\s?:$/, ""));
  const withoutNote = undecorate(undecorate(withoutColon.replace(note, "")).replace(/\s?:$/, ""));
  return [...new Set([plain, withoutColon, withoutNote])].filter((form) => form !== "");
}

/** Without decoration around it, also where a colon stands inside: `**path:**`. */
function undecorate(text: string): string {
  return stripDecoration(text.trim());
}

const bareNames = /^(?:Dockerfile|Makefile|LICENSE|README|Gemfile|Rakefile|Procfile|Jenkinsfile)$/;

/** Whether a text is one path rather than words: one token with a folder or an ending. */
export function looksLikePath(text: string): boolean {
  if (text.length > 260 || /\s/.test(text) || /^[-.=_*#~`/\\]*$/.test(text)) return false;
  if (/[<>|"`(){};,]/.test(text) || /^\w+:\/\//.test(text)) return false;
  return /[/\\]/.test(text) || /[^.]\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(text) || bareNames.test(text);
}

/** A path in the info string of a fence: alone, after the language, or as an attribute. */
export function readInfoPath(info: string, scope: ReplyScope): ResolvedPath | undefined {
  if (info === "" || info.length > maxLength) return undefined;
  const gap = info.search(/[\s:]/);
  const attribute =
    /(?:title|file|filename|path|filepath)\s?[=:]\s?("[^"]*"|'[^']*'|[^\s}]+)/i.exec(info);
  const rest = gap < 0 ? "" : info.slice(gap + 1);
  const forms = [info, rest, attribute?.[1] ?? "", rest.replace(/^\s?(?:\/\/|#)\s?/, "")];
  for (const form of forms) {
    if (form.trim() === "") continue;
    const resolved = resolvePath(form, scope);
    if (resolved.kind === "listed") return resolved;
  }
  return undefined;
}

const comment =
  /^\s{0,8}(?:\/\/+|#+|--|;+|%+|\/\*+|<!--|\{\/\*)\s{0,4}(.{1,300}?)\s{0,4}(?:\*\/\}?|-->)?\s*$/;
const shellInfo =
  /^(?:bash|sh|shell|zsh|fish|console|terminal|shell-?session|powershell|ps1?|cmd|bat|text|txt|plaintext|output|log|diff)\b/i;
const shellPath = /\.(?:sh|bash|zsh|fish|ps1|cmd|bat|txt|log)$/i;

/** A path that is the whole of a comment in a fence's first line; never in a sample of shell commands. */
export function readCommentPath(
  line: string,
  info: string,
  scope: ReplyScope,
): ResolvedPath | undefined {
  if (line.length > maxLength) return undefined;
  const words = comment.exec(line)?.[1];
  if (words === undefined) return undefined;
  const resolved = resolvePath(words.replace(label, ""), scope);
  if (resolved.kind !== "listed") return undefined;
  return shellInfo.test(info) && !shellPath.test(resolved.path) ? undefined : resolved;
}

/** The listed path in backticks that a sentence with a colon at its end speaks of. */
export function readSentencePath(line: string, scope: ReplyScope): ResolvedPath | undefined {
  const text = line.trim();
  if (text.length > maxLength || !/:(?:\*\*)?$/.test(text)) return undefined;
  const named = [...text.matchAll(/`([^`]{1,260})`/g)]
    .map((found) => resolvePath(found[1] ?? "", scope))
    .filter((resolved) => resolved.kind === "listed");
  return named.length === 1 ? named[0] : undefined;
}

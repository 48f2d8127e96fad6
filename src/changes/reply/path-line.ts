import type { RepoPath } from "../../contracts/index.ts";
import { listedPath, resolvePath, stripDecoration } from "./scope.ts";
import type { ReplyScope, ResolvedPath } from "./scope.ts";

/** A line that names a file, and nothing else. */
export interface PathClaim {
  readonly resolved: ResolvedPath;
  /** Written as `File: path`: a marker, not only a caption. */
  readonly isLabelled: boolean;
  readonly isListItem: boolean;
}

const heading = /^#{1,6}\s+/;
/** The sign or number of a list item. */
export const listItem = /^(?:\d{1,3}[.)]|[-*+•])\s+/;
const label =
  /^(?:\*\*)?(?:(?:new|updated?|modified|created?|edit)\s)?(?:file|filename|file name|path|file path|filepath)(?:\s\d{1,3})?(?:\*\*)?\s?:(?:\*\*)?\s*/i;
const note = /\s*(?:\((?:[^()]{1,40})\)|\[(?:new|updated|modified)\])$/i;
const maxLength = 400;

/**
 * Reads a line as the caption of a block: a path in any dress (heading, list item, bold, backticks,
 * `File:`, a note such as "(new)", a colon). A sentence that mentions a path is no caption.
 */
export function readPathLine(line: string, scope: ReplyScope): PathClaim | undefined {
  const text = line.trim();
  if (text === "" || text.length > maxLength || text.startsWith("```")) return undefined;
  const literal = listedPath(text, scope);
  if (literal !== undefined) return claimOf(literal, false, false);
  const item = text.replace(heading, "");
  const words = item.replace(listItem, "");
  const bare = stripDecoration(words).replace(listItem, "");
  const named = bare.replace(label, "");
  const [isLabelled, isListItem] = [named !== bare, words !== item];
  const forms = captionForms(named);
  for (const form of forms) {
    const listed = listedPath(form, scope);
    if (listed !== undefined) return claimOf(listed, isLabelled, isListItem);
  }
  const path = forms.find((form) => looksLikePath(form));
  if (path === undefined) return undefined;
  return { resolved: resolvePath(path, scope), isLabelled, isListItem };
}

function claimOf(path: RepoPath, isLabelled: boolean, isListItem: boolean): PathClaim {
  return { resolved: { kind: "listed", path }, isLabelled, isListItem };
}

/** The caption as it stands, then without its colon, its note and its decoration. */
function captionForms(text: string): readonly string[] {
  const plain = stripDecoration(text);
  const withoutColon = stripDecoration(plain.replace(/\s?:$/, ""));
  const withoutNote = stripDecoration(
    stripDecoration(withoutColon.replace(note, "")).replace(/\s?:$/, ""),
  );
  return [...new Set([plain, withoutColon, withoutNote])].filter((form) => form !== "");
}

const bareNames = /^(?:Dockerfile|Makefile|LICENSE|README|Gemfile|Rakefile|Procfile|Jenkinsfile)$/;

/** Whether a text is one path rather than words: one token with a folder or an ending. */
function looksLikePath(text: string): boolean {
  if (text.length > 260 || /\s/.test(text) || /^[-.=_*#~`/\\]*$/.test(text)) return false;
  if (/[<>|"`(){};,]/.test(text) || /^\w+:\/\//.test(text)) return false;
  return /[/\\]/.test(text) || /[^.]\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(text) || bareNames.test(text);
}

/** A path in the info string of a fence: alone, after the language, or as an attribute. */
export function readInfoPath(info: string, scope: ReplyScope): RepoPath | undefined {
  if (info === "" || info.length > maxLength || /^[\w+#-]*$/.test(info)) return undefined;
  const gap = info.search(/[\s:]/);
  const rest = gap < 0 ? "" : info.slice(gap + 1);
  const attribute = attributePath.exec(info)?.[1] ?? "";
  const forms = [info, rest, attribute, rest.replace(/^\s?(?:\/\/|#)\s?/, "")];
  return firstListed(forms, scope);
}

const attributePath =
  /(?:title|file|filename|path|filepath)\s?[=:]\s?("[^"]{1,300}"|'[^']{1,300}'|[^\s}]{1,300})/i;

function firstListed(forms: readonly string[], scope: ReplyScope): RepoPath | undefined {
  for (const form of forms) {
    const listed = form === "" ? undefined : listedPath(form, scope);
    if (listed !== undefined) return listed;
  }
  return undefined;
}

const comment =
  /^\s{0,8}(?:\/\/+|#+|--|;+|%+|\/\*+|<!--|\{\/\*)\s{0,4}(.{1,300}?)\s{0,4}(?:\*\/\}?|-->)?\s{0,40}$/;
const shellInfo =
  /^(?:bash|sh|shell|zsh|fish|console|terminal|shell-?session|powershell|ps1?|cmd|bat|text|txt|plaintext|output|log|diff)\b/i;
const shellPath = /\.(?:sh|bash|zsh|fish|ps1|cmd|bat|txt|log)$/i;

/** A path that is the whole of a comment in a fence's first line; never in a sample of shell commands. */
export function readCommentPath(
  line: string,
  info: string,
  scope: ReplyScope,
): RepoPath | undefined {
  if (line.length > maxLength) return undefined;
  const words = comment.exec(line)?.[1];
  const listed = words === undefined ? undefined : listedPath(words.replace(label, ""), scope);
  if (listed === undefined) return undefined;
  return shellInfo.test(info) && !shellPath.test(listed) ? undefined : listed;
}

/** The listed path in backticks that a sentence with a colon at its end speaks of. */
export function readSentencePath(line: string, scope: ReplyScope): RepoPath | undefined {
  const text = line.trim();
  if (text.length > maxLength || !/:(?:\*\*)?$/.test(text)) return undefined;
  const named = [...text.matchAll(/`([^`]{1,260})`/g)].flatMap(
    (found) => listedPath(found[1] ?? "", scope) ?? [],
  );
  return named.length === 1 ? named[0] : undefined;
}

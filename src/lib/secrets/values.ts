import { nameSegments } from "./names.ts";

/** What stands in a secret's place. */
export const mask = "[redacted]";

/** A name for a secret kept elsewhere: `$TOKEN`, `${{ secrets.X }}`, `%X%`, `<token>`, a path, an address. */
export function isReference(value: string): boolean {
  return (
    /^(?:\$[A-Za-z_{(]|\$\$|%[\w()]+[%s]?$|<|\{\{?|#\{|@|!|&|\*|op:\/\/|vault:|env[.:]|ref\+|arn:)/.test(
      value,
    ) ||
    /^(?:process\.env|import\.meta|os\.environ|ENV\[|secrets\.|env\.|var\.|local\.|data\.|self\.|this\.)/.test(
      value,
    ) ||
    /^(?:[a-z][a-z0-9+.-]*:\/\/|urn:|#[0-9a-f]{3,8}$)/i.test(value) ||
    /\$\{|\{\{|#\{/.test(value) ||
    /^(?:~|\.{1,2})?\/[\w.-]*[/.][\w./-]*$/.test(value)
  );
}

/** Words for "no value", and for a value that is not shown. */
const absent = new Set(
  (
    "redacted [redacted] none null nil undefined true false yes no todo string required optional " +
    "empty hidden masked removed unset"
  ).split(" "),
);

/** Words that stand for a secret in examples; somebody's real one now and then. */
const examples = new Set(
  (
    "changeme change-me password passwd pass secret token postgres root admin user test testing " +
    "example default dummy fake placeholder"
  ).split(" "),
);

/** No value at all: masks (`****`), cut ones (`sk-...`), `your_api_key`, words for "none". */
export function isAbsent(value: string): boolean {
  return (
    absent.has(value.toLowerCase()) ||
    /^[*x•.…_-]+$/i.test(value) ||
    /(?:\.{3}|…)$/.test(value) ||
    /^<?(?:your|insert|replace|enter|put)[-_ ][A-Za-z_ -]*>?$/i.test(value)
  );
}

/** Absent, or a word that examples use. */
export function isPlaceholder(value: string): boolean {
  return isAbsent(value) || examples.has(value.toLowerCase());
}

/** `config.token2`, `settings.API_KEY`: a place in code. */
export function isDottedName(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value);
}

/** `sha256`, `Uint8Array`, `u64`: names of types and algorithms with a number. */
export function isTypeName(value: string): boolean {
  return /^(?:u?int|float|uint|big(?:u?int)|utf|sha|md|hs|rs|es|ps|base|x)-?_?\d+(?:array)?$/i.test(
    value,
  );
}

/** Made of words one of which is a secret's name: `csrf-token`, `test_password_2`, `token1`. */
export function isWordy(value: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_.:/-]*$/.test(value) || /\d{3}/.test(value)) return false;
  return nameSegments(value).some((segment) =>
    /^(?:password|passwd|token|secrets?|key|apikey|credentials?|auth)$/.test(segment),
  );
}

/** Letters alone that make no words: one long run, or capitals all over. */
export function isRandomLetters(value: string): boolean {
  if (!/^[A-Za-z]{16,}$/.test(value)) return false;
  const capitals = value.replaceAll(/[a-z]/g, "").length;
  return capitals === 0 || capitals === value.length || capitals > value.length / 4;
}

/** Words for how a password is handled, in settings. */
const handling = new Set(
  (
    "disabled enabled required optional mandatory forbidden encrypted plaintext generated external " +
    "managed keychain inherited anonymous"
  ).split(" "),
);

/** "Password" in the languages that translations of an interface are written in. */
const passwordWord =
  /pass|pwd|secret|credential|pin\b|token|kennwort|contrase|clave|senha|wachtwoord|l\u00f6senord|adgangskode|has\u0142o|heslo|jelsz|parol|\u043f\u0430\u0440\u043e\u043b|\u5bc6\u7801|\u5bc6\u78bc|\u30d1\u30b9/i;

/** Words of sentences that speak to whoever types a password. */
const addressing =
  /\b(?:your|you|enter|type|choose|confirm|repeat|forgot|please|must|should|cannot|can't|required|invalid|incorrect|wrong|characters?|at least|is|not|show|hide)\b/i;

/**
 * What only a person's password looks like: of 8 to 100 characters, in one word or several; no
 * label (`Enter your password`), no name of something (`user-name`), no word of a setting, not one
 * character over and over (`aaaaaaaa`, in tests).
 */
export function isChosenPassword(value: string): boolean {
  if (value.length < 8 || value.length > 100) return false;
  if (handling.has(value.toLowerCase()) || isDottedName(value)) return false;
  if (/^(.)\1+$/.test(value)) return false;
  if (passwordWord.test(value) || /[.!?:\u2026]$/.test(value)) return false;
  if (/\s/.test(value)) return !addressing.test(value) && !/[<>{}()]|%[sd]/.test(value);
  return /^[A-Za-z]+$/.test(value);
}

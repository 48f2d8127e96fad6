import { after } from "./secrets/boundaries.ts";
import { redactNamedValues } from "./secrets/named-values.ts";
import { redactPrivateKeys } from "./secrets/private-keys.ts";
import { holdsToken, tokenShapes } from "./secrets/token-shapes.ts";
import { isDottedName, isPlaceholder, isReference, mask } from "./secrets/values.ts";

export { isSecretFile, isSecretName } from "./secrets/names.ts";

/**
 * Shorter than any credential that is known by its looks alone, and without a name beside a value:
 * nearly half of what a run's events hold.
 */
const shortWord = /^[\w./-]{0,12}$/;

/** Tokens glued to each other need two; more only a text made for it. */
const maxPasses = 4;

/**
 * The text with its secrets replaced by `[redacted]`: private keys, tokens of known shapes,
 * passwords in URLs, authorization headers and cookies, values of keys with secret names. Time
 * grows with the text's length only; a second pass changes nothing. Code that speaks of secrets
 * without holding one (`password = input()`, `$TOKEN`, `process.env.API_KEY`) stays as it is.
 * A quoted value of a password's name is hidden from 8 characters on, also one of letters and
 * blanks alone, unless it reads like a label (`password: "Enter your password"`) or a setting.
 * Not recognised: a secret of no known shape without a name beside it, and passwords made of a
 * short word alone (`password: "letmein"`) outside `NAME=value` lines.
 */
export function redact(text: string): string {
  if (shortWord.test(text)) return text;
  let result = redactPrivateKeys(text);
  // A mask ends words: what was glued to a token may be one itself.
  for (let pass = 0; pass < maxPasses && holdsToken(result); pass += 1) {
    for (const { pattern } of tokenShapes) result = result.replaceAll(pattern, mask);
  }
  result = redactUrls(result);
  result = redactHeaders(result);
  result = redactCommands(result);
  result = redactConnectionStrings(result);
  return redactNamedValues(result);
}

/** `scheme://user:password@host`, `https://token@host`, and signed addresses. */
function redactUrls(text: string): string {
  return text
    .replaceAll(
      /(?<=[A-Za-z0-9+.-]{2})(:\/\/[^\s/?#@:"'`<>\\]{0,200}:)([^\s/?#"'`<>\\@]{1,300})(?=@)/g,
      (whole, before: string, password: string) =>
        isReference(password) || isPlaceholder(password) ? whole : before + mask,
    )
    .replaceAll(
      /(https?:\/\/)([A-Za-z0-9_~.-]{20,300})(?=@)/g,
      (whole, before: string, user: string) => (/\d/.test(user) ? before + mask : whole),
    )
    .replaceAll(
      /([?&](?:sig|signature|x-(?:amz|goog)-signature|key|code|auth)=)([A-Za-z0-9%+/_.~-]{16,2000})/gi,
      (whole, before: string, value: string) => (/\d/.test(value) ? before + mask : whole),
    );
}

const between = "(?:[ \\t]{1,4}|%20|\\\\u0020|\\\\t)";
const authorization =
  /((?:authorization|x-auth)\\?["'`]?[ \t]{0,4}[:=,][ \t]{0,4}\\?["'`]?[ \t]{0,4}(?:Bearer|Basic|Token|Digest|Negotiate|ApiKey|Key)[ \t]{1,4})([^\s"'`,;\\<>]{6,8192})/gi;
const bearer = new RegExp(
  `${after("A-Za-z0-9_")}(Bearer${between})([A-Za-z0-9._~+/=-]{16,8192})`,
  "gi",
);
const cookie = new RegExp(
  `${after("A-Za-z0-9_-")}((?:set-)?cookie:[ \\t]{0,4})([A-Za-z0-9_.-]{1,80}=[^\\r\\n"'\`\\\\]{6,8192})`,
  "gi",
);

/** `Authorization: Bearer …` in all its dresses, `Bearer …` alone, cookies. */
function redactHeaders(text: string): string {
  return text
    .replaceAll(authorization, (whole, before: string, value: string) =>
      isCredential(value) ? before + mask : whole,
    )
    .replaceAll(bearer, (whole, before: string, value: string) =>
      /\d/.test(value) ? before + mask : whole,
    )
    .replaceAll(cookie, (whole, before: string, value: string) =>
      /=[^;\s]*\d/.test(value) ? before + mask : whole,
    );
}

const curlUser = new RegExp(
  `${after("\\w-")}(curl\\b[^\\r\\n]{0,300}?\\s(?:-u|--user)[ =]?["']?[^\\s:"'\`]{1,100}:)([^\\s"'\`]{1,200})`,
  "g",
);
const netrcLine = new RegExp(
  `${after("\\w")}(machine\\s{1,8}[^\\s]{1,200}\\s{1,8}login\\s{1,8}[^\\s]{1,200}\\s{1,8}password\\s{1,8})([^\\s]{1,200})`,
  "g",
);
const sqlPassword = new RegExp(
  `${after("\\w")}((?:PASSWORD|IDENTIFIED BY) ')([^'\\r\\n]{1,200})(?=')`,
  "gi",
);

/** `curl -u user:password`, `.netrc` lines, passwords in SQL. */
function redactCommands(text: string): string {
  const hide = (whole: string, before: string, value: string): string =>
    isReference(value) || isPlaceholder(value) || /^\d+$/.test(value) ? whole : before + mask;
  return text.replaceAll(curlUser, hide).replaceAll(netrcLine, hide).replaceAll(sqlPassword, hide);
}

const connectionKey =
  "(?:Server|Data Source|Host|User ?Id|Uid|User|Username|Database|Initial Catalog|Port)[ \\t]{0,2}=";
const connectionPassword = "(?:Password|Pwd)[ \\t]{0,2}=[ \\t]{0,2}";
const connectionValue = "[^;\\s\"'`(){}<>]{4,200}";
const passwordAfterKey = new RegExp(
  `${after("\\w")}(${connectionKey}[^;=\\r\\n"'\`()]{1,200};[ \\t]{0,2}${connectionPassword})(${connectionValue})`,
  "gi",
);
const passwordBeforeKey = new RegExp(
  `${after("\\w")}(${connectionPassword})(${connectionValue})(?=;[ \\t]{0,2}${connectionKey})`,
  "gi",
);

/** `Server=db;User Id=sa;Password=…;`, as ADO.NET and ODBC write it. */
function redactConnectionStrings(text: string): string {
  const hide = (whole: string, before: string, value: string): string =>
    isReference(value) || isPlaceholder(value) || isDottedName(value) ? whole : before + mask;
  return text.replaceAll(passwordAfterKey, hide).replaceAll(passwordBeforeKey, hide);
}

function isCredential(value: string): boolean {
  if (isReference(value) || isPlaceholder(value)) return false;
  return /\d/.test(value) || value.length >= 16 || (/[a-z]/.test(value) && /[A-Z]/.test(value));
}

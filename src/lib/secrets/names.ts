/** Words that make a name a secret's when they stand last: `DB_PASSWORD`, `apiToken`. */
const secretWords = new Set(
  (
    "password passwd pwd pass passphrase passcode secret secrets token apikey accesskey secretkey " +
    "privatekey authtoken accesstoken refreshtoken bearertoken credential credentials creds " +
    "authorization connectionstring clientsecret apisecret dbpassword pgpassword " +
    "pw mnemonic"
  ).split(" "),
);

/** What makes a `…_KEY` a secret one; `PUBLIC_KEY`, `PRIMARY_KEY`, `STORAGE_KEY` are none. */
const secretKeyKinds = new Set(
  (
    "access account admin api app auth client consumer crypto deploy deployment encrypt encryption " +
    "hmac integration jwt license master private root secret server shared signing ssh " +
    "subscription webhook write"
  ).split(" "),
);

/** What makes a `…Token` none: places in lists, parts of a text, ids of requests. */
const harmlessTokenKinds = new Set(
  (
    "next page continuation request input output start end per max min cancellation lexer parser " +
    "syntax key current previous first last word change"
  ).split(" "),
);

/** What makes a phrase a secret one. */
const secretPhraseKinds = new Set("pass seed recovery wallet secret backup".split(" "));

/** Names whose secret word does not stand last. */
const wholeNames = new Set([
  "secret_key_base",
  "auth",
  "npm_config_auth",
  "pgpassword",
  "bw_session",
  "vault_unseal",
]);

/**
 * `dbPassword2` → `db`, `password`; `APIKey` → `api`, `key`. A number at the end is dropped.
 * Takes any name of a variable, a key or an option.
 */
export function nameSegments(name: string): readonly string[] {
  const segments = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((segment) => segment.replace(/\d+$/, ""));
  while (segments.at(-1) === "") segments.pop();
  return segments.filter((segment) => segment !== "");
}

/** What stands somewhere in the name of every secret; far most names are told from one by it. */
const speaksOfSecret = new RegExp(
  [
    ...secretWords,
    "key|token|phrase|string|signature",
    ...[...wholeNames].flatMap((name) => name.split("_").at(-1) ?? []),
  ].join("|"),
  "i",
);

/** True when a key or variable of this name holds a secret: `apiKey`, `aws_secret_access_key`. */
export function isSecretKey(name: string): boolean {
  if (!speaksOfSecret.test(name)) return false;
  const segments = nameSegments(name);
  const last = segments.at(-1);
  if (last === undefined || segments.includes("public")) return false;
  if (wholeNames.has(segments.join("_"))) return true;
  const before = segments.at(-2) ?? "";
  if (last === "signature") return before === "amz";
  if (last === "string") return before === "connection";
  if (last === "phrase") return secretPhraseKinds.has(before);
  if (last === "token") return !harmlessTokenKinds.has(before);
  return secretWords.has(last) || (last === "key" && secretKeyKinds.has(before));
}

/** True when people choose the value themselves, so that it may be short or all digits. */
export function isPasswordKey(name: string): boolean {
  return /^(?:password|passwd|pwd|pw|pass|passphrase|passcode|phrase|mnemonic)$/.test(
    nameSegments(name).at(-1) ?? "",
  );
}

/** Words that make an environment variable one to withhold, wherever they stand in its name. */
const withheldWords = new Set([
  ...secretWords,
  ..."askpass auth cookie cookies dsn key keys tokens pat netrc kubeconfig".split(" "),
]);

/** Ends of a word that speak of a secret in any name: `SSHPASS`, `LDAP_BINDPW`; `BYPASS` is none. */
const withheldEnding =
  /(?:password|passwd|passfile|passphrase|token|secret|apikey|pwd|pw)$|(?<!^(?:com|by|tres|sur|over|under|multi))pass$/;

/**
 * Names that tell by their last words: a secret key's short form, what a session is opened with
 * (`BW_SESSION`, `OP_SESSION_team`; a desktop's is none), a vault's key, a token of JWT.
 */
const withheldName =
  /_SK$|(?:^|_)(?:PASS|SEED|RECOVERY|WALLET|BACKUP)_PHRASE$|^(?!XDG_|I?TERM_)(?:.*_)?SESSION_?ID$|(?<!DESKTOP|FULL|TMUX|TERM|SHELL|XDG)_SESSION$|^OP_SESSION_|(?:^|_)(?:JWT|UNSEAL)$/;

/** Names that speak of a secret without holding one: sizes, limits, kinds, public keys. */
const harmlessName =
  /^(?:OLD)?PWD$|(?:^|_)(?:(?:MAX|MIN|NUM|CONTEXT|OUTPUT|INPUT)_TOKENS|(?:PUBLIC|PRIMARY|FOREIGN|CACHE|SORT|PARTITION)_KEYS?|(?:TTL|LENGTH|LIMIT|COUNT|TIMEOUT|EXPIRY|HEADER|TYPE|MODE|DELAY|LAYOUT|REPEAT))$/;

/**
 * True when an environment variable of this name may hold a credential, or leads to one
 * (`SSH_AUTH_SOCK`, `GIT_ASKPASS`, `KUBECONFIG`), so that code which a model wrote should not see
 * it. Errs on the side of yes. An address with a password in it (`DATABASE_URL`) is told by its
 * value: `redact`.
 */
export function isSecretName(name: string): boolean {
  const upper = name.toUpperCase();
  if (harmlessName.test(upper)) return false;
  if (withheldName.test(upper)) return true;
  return nameSegments(name).some(
    (segment) => withheldWords.has(segment) || withheldEnding.test(segment),
  );
}

/** Names of files that hold credentials; held against the last segment in lower case. */
const secretFileNames: readonly RegExp[] = [
  /^\.env(?:rc)?(?:\..*)?$/,
  /^[^/]+\.env$/,
  /^\.(?:dev\.vars|secrets?|npmrc|netrc|pypirc|pgpass|my\.cnf|mylogin\.cnf|git-credentials|dockercfg|s3cfg|boto|htpasswd|vault-token|authinfo|fetchmailrc)$/,
  /^_netrc$/,
  /\.(?:pem|key|p8|p12|pfx|pkcs12|jks|keystore|kdbx|kdb|ppk|asc|gpg|pgp|ovpn|agekey|keychain(?:-db)?)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-].*)?$/,
  /^\.?credentials(?:\.(?:json|ya?ml|toml|xml|ini|txt|csv|db|tfrc\.json))?$/,
  /^(?:auth|secrets?|passwords?|token)\.(?:json|ya?ml|toml|ini|txt|csv|properties|enc)$/,
  /^secrets?[._-](?:local|dev|development|prod|production|staging|test)\.(?:json|ya?ml|toml|enc)$/,
  /(?:service[-_]?account|firebase-adminsdk|client[-_]secret).*\.json$/,
  /^(?:application_default_credentials|local\.settings)\.json$/,
  /^(?:.*\.)?kubeconfig$/,
  /^wp-config\.php$/,
  /\.tfstate(?:\.backup)?$/,
  /\.tfvars(?:\.json)?$/,
  /^g?shadow-?$/,
];

/** Folders that make a file in them one. */
const secretFilePaths: readonly RegExp[] = [
  /(?:^|\/)\.(?:ssh|gnupg|password-store)\/(?!(?:known_hosts|config)$)/,
  /(?:^|\/)\.aws\/(?:config|sso\/cache\/.*)$/,
  /(?:^|\/)\.azure\/(?:accesstokens|msal_token_cache)\.(?:json|bin)$/,
  /(?:^|\/)\.(?:docker\/config\.json|kube\/config|oci\/config)$/,
  /(?:^|\/)\.config\/(?:gh|hub|gcloud)\/(?:hosts\.yml|.*\.db|.*\.json)$/,
  /(?:^|\/)\.config\/hub$/,
];

/** Templates without secrets, made to be shared, and public keys. */
const harmlessFile =
  /(?:[._-](?:example|sample|template|tmpl|dist|defaults?|schema)(?:\.[a-z]+)?|\.pub)$/;

/**
 * True when a file of this path is likely to hold credentials, so that its content goes into no
 * prompt and no record: `.env*`, private keys, key stores, credential files of tools. Takes a
 * relative or absolute path. Templates (`.env.example`, `.sample`, `.template`, `.dist`) and
 * public keys (`*.pub`) are none. Judges the name only; callers resolve links first.
 */
export function isSecretFile(path: string): boolean {
  const lower = path.replaceAll("\\", "/").toLowerCase();
  if (harmlessFile.test(lower)) return false;
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  return (
    secretFileNames.some((pattern) => pattern.test(name)) ||
    secretFilePaths.some((pattern) => pattern.test(lower))
  );
}

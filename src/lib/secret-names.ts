/** Segments of a name that make it a secret's when they stand last: `DB_PASSWORD`, `apiToken`. */
const secretWords = new Set(
  (
    "password passwd pwd pass passphrase passcode secret secrets token apikey accesskey secretkey " +
    "privatekey authtoken accesstoken refreshtoken bearertoken credential credentials creds pat " +
    "authorization connectionstring clientsecret apisecret dbpassword pgpassword signature"
  ).split(" "),
);

/** What makes a `…_KEY` a secret one; `PUBLIC_KEY`, `PRIMARY_KEY`, `CACHE_KEY` are none. */
const secretKeyKinds = new Set(
  (
    "access account admin api app auth client consumer crypto deploy deployment encrypt encryption " +
    "hmac integration jwt license master private root secret server service session shared signing " +
    "ssh storage subscription webhook write"
  ).split(" "),
);

/** Names whose secret word does not stand last. */
const wholeNames = new Set(["secret_key_base", "connection_string", "auth", "npm_config__auth"]);

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

/** True when a key or variable of this name holds a secret: `apiKey`, `aws_secret_access_key`. */
export function isSecretKey(name: string): boolean {
  const segments = nameSegments(name);
  const last = segments.at(-1);
  if (last === undefined) return false;
  if (wholeNames.has(segments.join("_"))) return true;
  const before = segments.at(-2) ?? "";
  if (last === "signature") return before === "amz";
  if (last === "string") return before === "connection";
  return secretWords.has(last) || (last === "key" && secretKeyKinds.has(before));
}

/** Segments that make an environment variable one to withhold, wherever they stand. */
const withheldSegments = new Set([
  ...secretWords,
  ..."askpass auth cookie cookies key keys tokens passfile netrc kubeconfig dsn".split(" "),
]);

/** Endings that say: about a secret, but not the secret (`MAX_TOKENS`, `TOKEN_TTL`, `PUBLIC_KEY`). */
const harmless =
  /(?:^|_)(?:OLDPWD|PWD|(?:MAX|MIN|NUM|CONTEXT|OUTPUT|INPUT)_TOKENS|(?:PUBLIC|PRIMARY|FOREIGN|CACHE|SORT|PARTITION|COMPOSE)_KEYS?|(?:TTL|LENGTH|LIMIT|COUNT|TIMEOUT|EXPIRY|HEADER|TYPE|MODE|DELAY|LAYOUT|REPEAT))$/;

/**
 * True when an environment variable of this name may hold a credential, or leads to one
 * (`SSH_AUTH_SOCK`, `GIT_ASKPASS`, `DATABASE_URL`, `KUBECONFIG`), so that code which a model wrote
 * should not see it. Errs on the side of yes.
 */
export function isSecretName(name: string): boolean {
  if (harmless.test(name.toUpperCase())) return false;
  const segments = nameSegments(name);
  if (segments.some((segment) => withheldSegments.has(segment))) return true;
  if (segments.some((segment) => /(?:password|passwd|token|secret|apikey)$/.test(segment))) {
    return true;
  }
  return /^(?:DATABASE|REDIS|MONGO(?:DB)?|POSTGRES(?:QL)?|MYSQL|AMQP|RABBITMQ|BROKER|SMTP|MAIL(?:ER)?|DB)_(?:URL|URI)$/.test(
    name.toUpperCase(),
  );
}

/** Names of files that hold credentials; held against the last segment, letter case ignored. */
const secretFileNames: readonly RegExp[] = [
  /^\.env(?:\..*)?$/,
  /^\.envrc(?:\..*)?$/,
  /^[^/]+\.env$/,
  /\.(?:pem|key|p8|p12|pfx|pkcs12|jks|keystore|kdbx|kdb|ppk|asc|gpg|pgp|ovpn|agekey|keychain(?:-db)?|mobileprovision)$/,
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|identity)(?:[._-].*)?$/,
  /^\.?(?:npmrc|yarnrc|yarnrc\.yml|netrc|pypirc|pgpass|my\.cnf|git-credentials|dockercfg|s3cfg|boto|htpasswd|vault-token|authinfo|fetchmailrc|mylogin\.cnf)$/,
  /^_netrc$/,
  /^\.?credentials(?:\.(?:json|ya?ml|toml|xml|ini|txt|csv|db|tfrc\.json))?$/,
  /^(?:auth|secrets?|passwords?|tokens?|service[-_]?account.*|client[-_]secrets?.*|application_default_credentials|firebase-adminsdk.*)\.(?:json|ya?ml|toml|ini|txt|csv|properties|env|enc)$/,
  /^.*(?:service[-_]account|firebase-adminsdk|client_secret).*\.json$/,
  /^(?:kubeconfig|.*\.kubeconfig|master\.key|wp-config\.php|terraform\.tfstate(?:\.backup)?|.*\.tfstate|.*\.tfvars(?:\.json)?|shadow|gshadow)$/,
  /^secrets?\.(?:local|dev|development|prod|production|staging|test)\.(?:json|ya?ml|toml|env)$/,
];

/** Paths (`/` between segments) whose folder makes the file one. */
const secretFilePaths: readonly RegExp[] = [
  /(?:^|\/)\.(?:ssh|gnupg|password-store)\/(?!(?:known_hosts|config|.*\.pub)$)/,
  /(?:^|\/)\.(?:aws|azure|oci|gcloud)\/(?:credentials|config|accesstokens\.json|.*token.*)$/,
  /(?:^|\/)\.(?:docker|kube|gem|cargo|config\/gh|config\/hub|config\/gcloud)\/(?:config(?:\.json)?|credentials(?:\..*)?|hosts\.yml|.*\.db)$/,
];

/** Templates without secrets, made to be shared; key files that are public by nature. */
const harmlessFiles =
  /(?:^|\/)(?:\.env(?:rc)?\.(?:[^/]*[._-])?(?:example|sample|template|dist|defaults?|schema)|[^/]*\.(?:example|sample|template|dist)(?:\.[a-z]+)?|[^/]*\.pub|[^/]*[._-](?:example|sample|template)\.[a-z]+)$/;

/**
 * True when a file of this path is likely to hold credentials, so that its content goes into no
 * prompt and no record: `.env*`, private keys, key stores, credential files of tools. Takes a
 * relative or absolute path with `/`. Templates (`.env.example`, `.sample`, `.template`, `.dist`)
 * and public keys (`*.pub`) are none. Judges the name only; callers resolve links first.
 */
export function isSecretFile(path: string): boolean {
  const lower = path.replaceAll("\\", "/").toLowerCase();
  if (harmlessFiles.test(lower)) return false;
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  return (
    secretFileNames.some((pattern) => pattern.test(name)) ||
    secretFilePaths.some((pattern) => pattern.test(lower))
  );
}

import { array, assert, constantFrom, property, stringMatching } from "fast-check";
import { describe, expect, it } from "vitest";
import { redact } from "../../src/lib/redaction.ts";
import { holdsToken, tokenShapes } from "../../src/lib/secrets/token-shapes.ts";

// Secrets are put together here, so that the repository itself holds none.
const lower = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
const hexDigits = "0123456789abcdef";
const letters = lower + lower.toUpperCase();

/** `length` characters that look drawn by lot, the same in every run; with a digit among them. */
function lot(length: number, alphabet = letters + digits): string {
  let state = length * 7919 + alphabet.length;
  return Array.from({ length }, (_, index) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return index === 3 && /\d/.test(alphabet) ? "7" : alphabet[(state >> 8) % alphabet.length];
  }).join("");
}

/** A prefix that scanners of repositories would stop at, were it written in one piece. */
const glue = (...parts: readonly string[]): string => parts.join("");
const hex = (length: number): string => lot(length, hexDigits);
const upper = (length: number): string => lot(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567");
const jwt = `eyJ${lot(20)}.eyJ${lot(30)}.${lot(43)}`;
const base64Lines = [lot(64), lot(64), lot(31)].join("\n");

/** Tokens that are known by their looks: alone, in a sentence, quoted, at the end of a line. */
const tokens: Readonly<Record<string, string>> = {
  OpenAI: `sk-${lot(48)}`,
  "OpenAI project": `sk-proj-${lot(60)}_${lot(60)}-x`,
  Anthropic: `sk-ant-api03-${lot(90)}-${lot(6)}AA`,
  OpenRouter: `sk-or-v1-${hex(64)}`,
  "GitHub classic": `${glue("gh", "p_")}${lot(36)}`,
  "GitHub app": `${glue("gh", "s_")}${lot(36)}`,
  "GitHub fine-grained": `${glue("github_", "pat_")}${lot(22)}_${lot(59)}`,
  GitLab: `${glue("gl", "pat-")}${lot(20)}`,
  "AWS access key id": `AKIA${upper(16)}`,
  "AWS temporary key id": `ASIA${upper(16)}`,
  "Google API": `AIza${lot(35)}`,
  "Google client secret": `GOCSPX-${lot(28)}`,
  "Google access token": `ya29.${lot(80)}`,
  "Slack bot": `${glue("xox", "b-")}${lot(12, digits)}-${lot(12, digits)}-${lot(24)}`,
  "Slack app": `xapp-1-A${upper(10)}-${lot(13, digits)}-${hex(64)}`,
  "Stripe live": `${glue("sk_", "live_")}${lot(24)}`,
  "Stripe restricted": `${glue("rk_", "live_")}${lot(24)}`,
  "Stripe webhook": `whsec_${lot(32)}`,
  Twilio: `SK${hex(32)}`,
  SendGrid: `SG.${lot(22)}.${lot(43)}`,
  Mailgun: `key-${hex(32)}`,
  Mailchimp: `${hex(32)}-us12`,
  npm: `npm_${lot(36)}`,
  PyPI: `pypi-AgE${lot(120)}`,
  "Hugging Face": `hf_${lot(34)}`,
  Groq: `gsk_${lot(52)}`,
  xAI: `xai-${lot(80)}`,
  Perplexity: `pplx-${lot(48)}`,
  Replicate: `r8_${lot(37)}`,
  DigitalOcean: `dop_v1_${hex(64)}`,
  Databricks: `dapi${hex(32)}`,
  Linear: `lin_api_${lot(40)}`,
  Notion: `ntn_${lot(46)}`,
  Figma: `figd_${lot(40)}`,
  Doppler: `dp.pt.${lot(43)}`,
  Vault: `hvs.${lot(90)}`,
  Shopify: `shpat_${hex(32)}`,
  Atlassian: `ATATT3${lot(180)}=${hex(8).toUpperCase()}`,
  "Docker Hub": `dckr_pat_${lot(27)}`,
  Grafana: `glsa_${lot(32)}_${hex(8)}`,
  "New Relic": `NRAK-${upper(27)}`,
  Postman: `PMAK-${hex(24)}-${hex(34)}`,
  Tailscale: `tskey-auth-${lot(12)}-${lot(30)}`,
  "Telegram bot": `${lot(9, digits)}:AA${lot(33)}`,
  age: `AGE-SECRET-KEY-1${lot(58, "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ")}`,
  Fly: `fo1_${lot(43)}`,
  "Fly macaroon": `fm2_${lot(120)}==`,
  NVIDIA: `nvapi-${lot(64)}`,
  Brevo: `xkeysib-${hex(64)}-${lot(16)}`,
  Heroku: `HRKU-AA${lot(58)}`,
  Sourcegraph: `sgp_${hex(40)}`,
  Airtable: `pat${lot(14)}.${hex(64)}`,
  "crates.io": `cio${lot(32)}`,
  Buildkite: `bkua_${hex(40)}`,
  "Grafana, older": `eyJrIjoi${lot(80)}==`,
  "JSON Web Token": jwt,
};

describe("redact: tokens of known shapes", () => {
  it.each(Object.entries(tokens))("hides one of %s wherever it stands", (_, token) => {
    for (const [before, after] of [
      ["", ""],
      ["Invalid key: ", "."],
      ['f("', '")'],
      ["x=", "\n"],
      ["[", "]"],
      ["\t- `", "`, next"],
    ]) {
      expect(redact(`${before}${token}${after}`)).toBe(`${before}[redacted]${after}`);
    }
  });
});

/** What ends in a letter or a digit although no word goes on behind it. */
const escapes = [
  "\\n",
  "\\t",
  "\\r\\n",
  "\\\\n",
  "%20",
  "%3D",
  "%3a",
  "\\u0022",
  "\\u001b[0;1m",
  "\\x1b[32m",
  "\\033[0m",
  "\\x00",
  "\u001b[32m",
  "\u001b[1;38;5;12m",
  "\u001b[K",
  "=3D",
];

describe("redact: behind an escape", () => {
  it.each(escapes)("a token of any shape is hidden: %j", (escape) => {
    for (const [owner, token] of Object.entries(tokens)) {
      expect(redact(`log${escape}${token}, x`), `token of ${owner}`).toBe(
        `log${escape}[redacted], x`,
      );
    }
  });

  it.each(escapes)("a value with its name in front is hidden: %j", (escape) => {
    const value = lot(30);
    for (const [before, after] of [
      ["Authorization: Bearer ", '"'],
      ["authorization: Basic ", "\n"],
      ["Bearer ", " "],
      ["PRIVATE-TOKEN: ", ""],
      ["DB_PASSWORD=", "\n"],
      ["password: ", "\\n"],
      ["api_key = ", "\n"],
      ["--token ", "\n"],
      ["postgres://app:", "@db.example/x"],
      ["https://", "@github.com/a/b.git"],
      ["machine example.com login joe password ", "\n"],
      ["curl -u admin:", " https://x"],
      ["IDENTIFIED BY '", "';"],
      ["Server=db;User Id=sa;Password=", ";"],
    ]) {
      // An option is one behind a blank or a quote only.
      const front = before?.startsWith("--") === true ? `${escape} ` : escape;
      expect(redact(`"${front}${before}${value}${after}`), `after ${before}`).toBe(
        `"${front}${before}[redacted]${after}`,
      );
    }
    expect(redact(`"${escape}Set-Cookie: sid=${value}"`)).toBe(`"${escape}Set-Cookie: [redacted]"`);
    expect(redact(`"${escape}password: hunter2\n`)).toBe(`"${escape}password: [redacted]\n`);
  });

  it("a name keeps its first letter where it is no escape's", () => {
    for (const name of ["token", "new_token", "refreshToken", "npm_token"]) {
      expect(redact(`C:\\${name}=${lot(24)}`)).toBe(`C:\\${name}=[redacted]`);
    }
  });
});

/** Whose mark no word ends in. */
const distinct = [
  "OpenAI project",
  "Anthropic",
  "OpenRouter",
  "GitHub classic",
  "GitHub app",
  "GitHub fine-grained",
  "GitLab",
  "AWS access key id",
  "AWS temporary key id",
  "Google API",
  "Google client secret",
  "Slack bot",
  "Slack app",
  "Stripe live",
  "SendGrid",
  "npm",
  "PyPI",
  "Vault",
  "Shopify",
  "DigitalOcean",
  "Docker Hub",
  "Fly",
  "Hugging Face",
  "JSON Web Token",
];

describe("redact: a token with a mark of its own", () => {
  it.each(distinct)("of %s is hidden behind a letter, a digit and _", (owner) => {
    for (const front of ["prefix_", "MY_KEY_", "_", "7", "x".repeat(40), "Z", "n", "key2"]) {
      expect(redact(`${front}${tokens[owner]}`), `behind ${front}`).toBe(`${front}[redacted]`);
    }
  });
});

/** Text → what is left of it. `S` stands for the secret in both, as the value above it. */
const named: readonly (readonly [secret: string, text: string])[] = [
  ["EXAMPLE-h09", "DB_PASSWORD=S\n"],
  ["EXAMPLE-h09", "aws_secret_access_key = S"],
  ["sk-EXAMPLE-h07", "API_KEY=S"],
  ["hunter2", "export PASSWORD=S; run"],
  ["correct horse battery staple", 'DB_PASS="S"'],
  ["abc", "TOKEN=S"],
  ["EXAMPLE", "AWS_SECRET_ACCESS_KEY=S"],
  ["hunter2", "password: S"],
  ["hunter2", "  - password: S # of the test machine"],
  ["hunter2", '"password": "S",'],
  ["hunter2", "password='S'"],
  ["hunter2", "{ user: 'x', password: 'S' }"],
  ["Tr0ub4dor&3", 'const dbPassword = "S";'],
  ["SommerregenCCC", '{ password: "S" }'],
  ["sommerregen", 'password = "S"'],
  ["correct horse FFF staple", 'export const cfg = { passwd: "S" };'],
  ["correct horse battery staple", "--password 'S'"],
  ["pwvalueEEE444", 'dbPw: "S"'],
  ["Sommerregen", '"smtp_pass": "S",'],
  ["zebra apple river stone", 'seedPhrase: "S"'],
  ["zebra apple river stone", "MNEMONIC='S'"],
  [lot(40), 'private static final String API_KEY = "S";'],
  [lot(20), 'client_secret: "S"'],
  [lot(20), '\\"apiToken\\": \\"S\\"'],
  [hex(64), "SECRET_KEY_BASE=S"],
  [lot(32), "spring.datasource.password=S"],
  [lot(40), "//registry.example.org/:_authToken=S"],
  [`${lot(22)}==`, '"auth": "S"'],
  [`${lot(86)}==`, "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=S;EndpointSuffix=core"],
  ["P@ssw0rd", "Server=db;User Id=sa;Password=S;Encrypt=yes"],
  ["hunter2", "mysql --password=S -u root"],
  ["hunter2", "tool --db-password S --verbose"],
  [lot(24), "GET /x?access_token=S&y=1"],
  [lot(30), "https://x.blob.core.windows.net/c?sv=2020&sig=S&se=1"],
  ["s3cr3t", "postgres://app:S@db.example:5432/x"],
  ["p%40ss", "redis://:S@cache:6379"],
  ["opensesame", "https://joe:S@example.com/r.git"],
  [lot(40), "https://S@github.com/a/b.git"],
  [lot(30), "Authorization: Bearer S"],
  ["dXNlcjpwYXNz", "authorization: Basic S"],
  [lot(30), 'headers: { "Authorization": "token S" }'],
  [lot(30), "curl -H 'Authorization: Bearer S' https://x"],
  ["a1b2c3d4", 'curl -H "X-Api-Key: S" https://x'],
  ["hunter2", "curl -s -u admin:S https://x"],
  [lot(40), "PRIVATE-TOKEN: S"],
  [`sid=${lot(20)}; theme=dark`, "Cookie: S"],
  [`session=${lot(20)}; Path=/; HttpOnly`, "< Set-Cookie: S"],
  ["hunter2", "machine example.com login joe password S"],
  ["hunter2", "CREATE USER joe WITH PASSWORD 'S';"],
  [`T${upper(8)}/B${upper(8)}/${lot(24)}`, "https://hooks.slack.com/services/S"],
  [`\n${base64Lines}\n`, "-----BEGIN RSA PRIVATE KEY-----S-----END RSA PRIVATE KEY-----"],
];

describe("redact: values beside names", () => {
  it.each(named)("hides %j in %j", (secret, text) => {
    const redacted = redact(
      text.replaceAll("S-----", `${secret}-----`).replace(/\bS\b/, () => secret),
    );

    expect(redacted).not.toContain(secret.trim());
    expect(redacted).toContain("[redacted]");
    const [before = "", after = ""] = text.split(/S-----|\bS\b/);
    expect(redacted.startsWith(before)).toBe(true);
    expect(redacted.endsWith(after)).toBe(true);
  });
});

describe("redact: connection strings", () => {
  it.each([
    ["CONN=Server=x;User Id=sa;Password=hidden19a;", "hidden19a"],
    ["Data Source=db;Uid=sa;Pwd=Sesame!opens;Encrypt=true", "Sesame!opens"],
    ["Password=opensesame;Server=db", "opensesame"],
  ])("hides the password in %j", (text, secret) => {
    expect(redact(text)).toBe(text.replace(secret, "[redacted]"));
  });

  it.each(["user=form.user;password=form.password;", "Server=x;Password=${DB_PASSWORD};"])(
    "leaves code and references: %j",
    (text) => {
      expect(redact(text)).toBe(text);
    },
  );
});

describe("redact: private keys", () => {
  const wrap = (kind: string, body: string): string =>
    `-----BEGIN ${kind}PRIVATE KEY-----\n${body}\n-----END ${kind}PRIVATE KEY-----\n`;

  it.each(["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])(
    "hides the body of a %sPRIVATE KEY",
    (kind) => {
      expect(redact(`a\n${wrap(kind, base64Lines)}b`)).toBe(`a\n${wrap(kind, "[redacted]")}b`);
    },
  );

  it("hides a short body too", () => {
    expect(redact(wrap("", "EXAMPLE-h09"))).toBe(wrap("", "[redacted]"));
  });

  it("hides one in JSON, where line breaks are written as \\n", () => {
    const json = JSON.stringify({ type: "service_account", private_key: wrap("", base64Lines) });

    expect(redact(json)).toBe(
      JSON.stringify({ type: "service_account", private_key: wrap("", "[redacted]") }),
    );
  });

  it("hides one that is cut off, and what follows it not", () => {
    const text = `-----BEGIN OPENSSH PRIVATE KEY-----\n${base64Lines}\nrest of the log\n`;

    expect(redact(text)).not.toContain(base64Lines.slice(0, 64));
    expect(redact(text)).toContain("rest of the log");
  });

  it("hides one in a diff", () => {
    const diff = wrap("RSA ", base64Lines).replaceAll(/^/gm, "+");

    for (const line of base64Lines.split("\n")) expect(redact(diff)).not.toContain(line);
  });

  it.each([
    ["", "\n", ""],
    ["", "\r\n", ""],
    ["+", "\n", ""],
    ["    ", "\n", ""],
    ["> ", "\n", ""],
    ["", "\\n", '\\n"}'],
  ])("hides the end of one whose beginning is cut off, each line behind %j", (lead, sign, rest) => {
    const lines = [lot(64), lot(64), `${lot(22)}==`];
    const text = (body: readonly string[]): string =>
      `${[...body, "-----END RSA PRIVATE KEY-----"].map((line) => `${lead}${line}`).join(sign)}${rest}`;

    expect(redact(text(lines))).toBe(text(["[redacted]"]));
    expect(redact(`above it${sign}${text(lines)}`)).toBe(`above it${sign}${text(["[redacted]"])}`);
    expect(redact(text(lines.slice(2)))).toBe(text(["[redacted]"]));
  });

  it("hides such an end in an excerpt with numbers of lines", () => {
    expect(redact(`17 | ${lot(64)}\n18 | ${lot(31)}\n19 | -----END PRIVATE KEY-----`)).toBe(
      "17 | [redacted]\n19 | -----END PRIVATE KEY-----",
    );
  });

  it("leaves text before an end marker, and what stands between markers of two code blocks", () => {
    const prose = "It ends with this line\n-----END PRIVATE KEY-----\n";
    const blocks =
      "```\n-----BEGIN PRIVATE KEY-----\n```\nSome words.\n```\n-----END PRIVATE KEY-----\n```\n";

    expect(redact(prose)).toBe(prose);
    expect(redact(blocks)).toBe(blocks);
  });

  it("hides a PGP key block", () => {
    const block = `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${base64Lines}\n-----END PGP PRIVATE KEY BLOCK-----`;

    expect(redact(block)).not.toContain(base64Lines.slice(0, 64));
  });
});

/** Text that only looks like it. */
const harmless: readonly string[] = [
  "password = input()",
  'password = getpass("Password: ")',
  "password = os.environ['DB_PASSWORD']",
  "password: string;",
  "token: Uint8Array",
  "secret: [u8; 32],",
  "const token = await getToken(user1);",
  "this.token = config.token2;",
  "apiKey: process.env.API_KEY,",
  "API_KEY=$API_KEY",
  "TOKEN=${TOKEN:-none}",
  "API_KEY: ${{ secrets.API_KEY }}",
  "password: {{ .Values.db.password }}",
  'password: "{{ vault_password }}"',
  "PASSWORD=<your password>",
  "API_KEY=your_api_key_here",
  "password: ********",
  'password: "password"',
  "PASSWORD=none",
  "DB_PASSWORD=",
  'password: ""',
  "password = None",
  "secret: null",
  "if (password === other.password) return;",
  "if token == token2: pass",
  'throw new Error("password must have 8 characters")',
  'password: "Enter your password"',
  'password: "Forgot it?"',
  "password: 'At least 8 characters'",
  'password: "Mot de passe"',
  'password: "Passwort eingeben"',
  'password: "Neues Kennwort"',
  'password: "disabled"',
  'password: "current-password"',
  'password: "newPassword"',
  'password: "login.form.pwd"',
  'passwordLabel: "Choose another one"',
  'password_placeholder: "correct horse battery"',
  'passwordMessage: "That one is weak"',
  'pass: "All tests passed"',
  'token: "identifier"',
  'secret: "santa claus comes"',
  'password: "short"',
  'password: "aaaaaaaa"',
  "random_seed: 12345678",
  'phrase: "to be or not"',
  '{ name: "password", type: "password", label: "Password 1" }',
  "input[type=password]",
  'csrfToken: "csrf-token"',
  'tokenType: "bearer1"',
  "max_tokens: 4096",
  "CHARS_PER_TOKEN=4",
  "tokens = 12345678",
  "nextToken: 'abc123def456'",
  "public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8 joe",
  'primaryKey: "user_id_1"',
  "cache_key = f'{user}-{page}-v2'",
  "Token: '#dcdccc',",
  "# pass 12",
  "pass: 3, fail: 0",
  "author: 3f786850e387550fdab836ed7e6dc881de23001b",
  "commit 3f786850e387550fdab836ed7e6dc881de23001b",
  "id: 123e4567-e89b-42d3-a456-426614174000",
  '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
  "https://example.com/a:b@c",
  "https://user@example.com/x.git",
  "git@github.com:joe/repo.git",
  "postgres://user:password@localhost/test",
  "postgres://$USER:$PASSWORD@localhost/test",
  "http://localhost:3000/@scope/name",
  "headers: { Authorization: `Bearer ${token}` }",
  'headers["Authorization"] = "Bearer " + token1',
  "Authorization: Bearer <token>",
  "Authorization: Basic realm",
  "document.cookie = serialize('a', b)",
  ".sk-fading-circle-animation { color: red }",
  "sk-cube-grid sk-cube1",
  "the risk-averse task-12345678901234567890123",
  "task-proj-Q3-2024-Marketing-Review-Final-Version-For-Team",
  "disk-admin-panel-settings-v2-for-everyone-here",
  "task-ant-colony-optimization-2024-with-results",
  "const task_test_shouldUpdateAfter2Seconds = 1;",
  "mark_live_updatesEveryThirtySecondsOr2 = f()",
  "highs_averageTemperatureOfTheDayIn2024ForEveryCity()",
  "https://example.org/desk-proj-0123456789abcdef0123456789abcdef",
  `"sha512-${lot(86)}=="`,
  `data:image/png;base64,${lot(400)}`,
  `//# sourceMappingURL=data:application/json;base64,eyJ${lot(300)}`,
  "C:\\new\\table\\file.txt",
  "AWS_ASIAPACIFICREGIONNAMESFORALLOFTHEM",
  "!function(e,t){var n=t.archvs.someRatherLongMethodName(e),r=e.SG.init.call(t)}",
  hex(64),
  `integrity_${hex(40)}`,
  "cache_key-d41d8cd98f00b204e9800998ecf8427e",
  "%20%3D%3D\\n\\tpassword: string",
  'if (line.startsWith("-----BEGIN PRIVATE KEY-----")) end = "-----END PRIVATE KEY-----";',
  "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa\n-----END CERTIFICATE-----",
  "`-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`",
  "docker run -u 1000:1000 image",
  "curl -u $USER:$PASSWORD https://x",
  "tool --token TOKEN --password-file x",
  "AUTH=CRAM-MD5",
  "auth: 'basic'",
  "AWS::IAM::AccessKey: 62d91b17309e76c8",
  "SSH_KEY=~/.ssh/deploy_key",
  "keyboard: qwerty123",
  "monkey: banana1",
  "export PWD=/home/a1",
];

describe("redact: ordinary text", () => {
  it.each(harmless)("stays as it is: %j", (text) => {
    expect(redact(text)).toBe(text);
    expect(redact(`before\n${text}\nafter\n`)).toBe(`before\n${text}\nafter\n`);
  });
});

describe("redact: any text", () => {
  const parts = constantFrom(
    "password",
    "TOKEN",
    '"api_key"',
    "=",
    ": ",
    " = ",
    '"',
    "'",
    "\\",
    "\n",
    " ",
    "hunter2",
    "abc",
    "[redacted]",
    "Bearer ",
    "Authorization: ",
    "Cookie: ",
    "a=b1c2d3",
    "https://",
    "user:",
    "@",
    "?",
    "&",
    "/",
    "--",
    "-u ",
    "curl",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    ...Object.values(tokens).slice(0, 8),
    ...["Google API", "AWS access key id", "Hugging Face", "Fly"].flatMap(
      (owner) => tokens[owner] ?? [],
    ),
    "\\n",
    "%20",
    "\u001b[0m",
    "prefix_",
    "-----END PRIVATE KEY-----",
    `${lot(64)}\n`,
    "```\n",
    jwt,
    base64Lines,
  );

  it("is the same after a second pass", () => {
    assert(
      property(array(parts, { maxLength: 14 }), (pieces) => {
        const once = redact(pieces.join(""));
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  it("takes time by its length only, whatever it holds", () => {
    const floods = [
      "a",
      " ",
      "\t",
      "=",
      ":",
      '"',
      "\\",
      "-",
      "password",
      "password=",
      'password="',
      "password: '",
      '"password": "\\',
      "-----BEGIN PRIVATE KEY-----\n",
      "-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAA\n",
      "eyJ",
      "eyJa.eyJ",
      "eyJ-",
      "://",
      "a://b:",
      "https://a:b",
      "sk-",
      "sk-a",
      "xoxb-",
      "Bearer ",
      "authorization: Bearer ",
      "cookie: a=",
      "a.b.c.",
      "curl -u a",
      "curl ",
      "machine a login b password ",
      "PASSWORD '",
      "--token ",
      "?key=",
      "a1",
      "A",
      "0",
      "AKIA",
      "password\n",
      "\\n",
      "%20",
      "\\u0022",
      "[0;1m",
      "\u001b[32m",
      "sk-proj-",
      "sk-proj-aB3",
      "ghp_a1",
      "AIza1",
      "glpat-",
      "fo1_",
      "hvs.",
      "https://a",
      "\\npassword=",
      "-----END PRIVATE KEY-----\n",
      `${lot(64)}\n-----END PRIVATE KEY-----`,
      "ab\n-----END PRIVATE KEY-----",
      `ghp_${lot(36)}key-${hex(32)}`,
    ];
    for (const flood of floods) {
      const text = flood.repeat(Math.ceil(200_000 / flood.length));
      const startedAt = performance.now();
      redact(text);
      const tookMs = performance.now() - startedAt;
      expect(tookMs, `200 KB of ${JSON.stringify(flood)}`).toBeLessThan(6000);
    }
  });
});

it("leaves words alone that are shorter than any credential: no token's shape is in one", () => {
  const short = stringMatching(/^[\w./-]{0,12}$/);

  assert(
    property(short, (word) => {
      expect(tokenShapes.filter(({ pattern }) => word.search(pattern) !== -1)).toEqual([]);
      expect(redact(word)).toBe(word);
    }),
  );
});

it("looks for all shapes at once as well as for each", () => {
  const piece = constantFrom(
    ...Object.values(tokens),
    ...escapes,
    "prefix_",
    "x",
    "-",
    " ",
    "1",
    "sk-",
    "https://hooks.slack.com/services/",
  );

  assert(
    property(array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join("");
      expect(holdsToken(text)).toBe(tokenShapes.some(({ pattern }) => text.search(pattern) !== -1));
    }),
    { numRuns: 1000 },
  );
});

import { array, assert, constantFrom, property, stringMatching } from "fast-check";
import { describe, expect, it } from "vitest";
import { redact } from "../../src/lib/redaction.ts";
import { tokenShapes } from "../../src/lib/secrets/token-shapes.ts";

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

import { after, escapedSign } from "./boundaries.ts";

/** A credential that can be told by its looks alone. */
export interface TokenShape {
  /** Whose it is. */
  readonly owner: string;
  /** What it looks like, with what may stand before and after it. */
  readonly pattern: RegExp;
}

/** A token that is a word by itself. */
interface WordShape {
  readonly owner: string;
  readonly body: string;
  /** Its looks where a letter, a digit or `_` may stand in front, as after `prefix_` or `key:n`. */
  readonly glued?: string;
}

/** Takes a token's parts as patterns; every repetition is bounded, so that no text is slow. */
function shape(owner: string, body: string, glued?: string): WordShape {
  return { owner, body, ...(glued !== undefined && { glued }) };
}

/** A mark so much its own that no text has it by chance, whatever stands in front. */
function mark(owner: string, body: string): WordShape {
  return shape(owner, body, body);
}

function asWord(body: string): string {
  return `${after("A-Za-z0-9_")}(?:${body})${end}`;
}

const end = "(?![A-Za-z0-9])";
const word = "[A-Za-z0-9_-]";
const alnum = "[A-Za-z0-9]";
const hex = "[0-9a-f]";
/** Looks ahead for what words lack that stand in a row: `task-proj-…`, `highs_averageOfTheDay`. */
const digit = "(?=[A-Za-z_-]{0,80}\\d)";
const capital = "(?=[a-z0-9_-]{0,80}[A-Z])";
const twoDigits = "(?=[A-Za-z0-9]{0,60}?\\d[A-Za-z]{1,40}\\d)";
const unbroken = `(?=${word}{0,80}?${alnum}{16})`;

/** Published formats (GitHub, GitLab and TruffleHog secret scanning lists, vendors' own pages). */
const wordShapes: readonly WordShape[] = [
  shape(
    "Anthropic, OpenAI, OpenRouter and their like",
    `sk-(?:ant|proj|svcacct|admin|or|lf|None)-${word}{10,400}`,
    `sk-(?:ant-(?:api|sid|oat|ort|admin)\\d{2}-|or-v1-|(?:ant|proj|svcacct|admin|None)-${unbroken}${capital})${digit}${word}{20,400}`,
  ),
  shape(
    "OpenAI",
    `sk-(?=[A-Za-z_-]{0,60}\\d)${word}{20,400}`,
    `sk-${alnum}{20}T3BlbkFJ${alnum}{20}|(?<=[_0-9A-Z]sk-)${digit}${capital}${alnum}{32,400}`,
  ),
  // `highs_`, `sighs_` are words.
  shape(
    "GitHub",
    `gh[pousr]_${alnum}{20,255}`,
    `gh(?:[pour]_${digit}|s_${twoDigits})${alnum}{36,255}`,
  ),
  mark("GitHub fine-grained", `github_pat_${alnum}{20,30}_${alnum}{50,70}`),
  shape(
    "GitLab",
    `gl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|soat|oas|ffct)-${word}{16,300}(?:\\.[0-9a-z]{2}\\.[0-9a-z]{9})?`,
    `gl(?:pat-|(?:dt|rt|ptt|cbt|ft|imt|agent|soat|oas|ffct)-${digit})${word}{20,300}`,
  ),
  shape(
    "AWS access key id",
    "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}",
    "(?:AKIA|ASIA(?=[A-Z]{0,15}[2-7]))[A-Z2-7]{16}(?![A-Za-z0-9])",
  ),
  shape("Google API key", `AIza${word}{35}`, `AIza${digit}${word}{35}${end}`),
  mark("Google OAuth client secret", `GOCSPX-${word}{28}`),
  shape("Google access token", `ya29\\.${word}{20,400}`, `ya29\\.${digit}${word}{40,400}`),
  shape("Google refresh token", `1//0${word}{30,200}`),
  shape(
    "Slack",
    `xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,250}`,
    `xox[abeoprs](?:\\.xox[bp])?-${digit}[A-Za-z0-9-]{10,250}`,
  ),
  shape(
    "Slack app",
    `xapp-\\d-[A-Za-z0-9-]{20,250}`,
    `xapp-\\d-A[A-Z0-9]{8,12}-\\d{10,14}-${hex}{64}`,
  ),
  // `task_live_`, `mark_test_`: words that end like the mark have a letter in front of it.
  shape(
    "Stripe",
    `(?:sk|rk)_(?:live|test|prod)_${alnum}{10,250}`,
    `(?<![a-z])[sr]k_(?:live|test|prod)_${digit}${alnum}{16,250}|[sr]k_(?:live|test)_${twoDigits}${capital}${alnum}{24,250}`,
  ),
  shape("Stripe webhook", `whsec_[A-Za-z0-9+/=]{20,100}`, `whsec_${digit}[A-Za-z0-9+/=]{32,100}`),
  shape("Twilio", "SK[0-9a-f]{32}"),
  shape("SendGrid", `SG\\.${word}{16,32}\\.${word}{32,64}`, `SG\\.${word}{22}\\.${word}{43}`),
  shape("Mailgun", "key-[0-9a-f]{32}"),
  shape("Mailchimp", "[0-9a-f]{32}-us\\d{1,2}"),
  shape("npm", `npm_${alnum}{36}`, `npm_${digit}${alnum}{36}`),
  mark("PyPI", `pypi-AgE${word}{50,400}`),
  shape("Hugging Face", `hf_${alnum}{30,60}`, `hf_${digit}${alnum}{34}`),
  shape("Groq", `gsk_${alnum}{40,80}`, `gsk_${digit}${alnum}{40,80}`),
  shape("xAI", `xai-${alnum}{40,120}`, `xai-${digit}${alnum}{40,120}`),
  shape("Perplexity", `pplx-${alnum}{32,80}`, `pplx-${digit}${alnum}{32,80}`),
  shape("Replicate", `r8_${alnum}{30,60}`),
  mark("DigitalOcean", `do[opr]_v1_[0-9a-f]{64}`),
  mark("Databricks", "dapi[0-9a-f]{32}(?:-\\d)?"),
  shape("Linear", `lin_(?:api|oauth)_${alnum}{32,64}`, `lin_(?:api|oauth)_${digit}${alnum}{32,64}`),
  shape("Notion", `(?:ntn|secret)_${alnum}{40,50}`),
  shape("Figma", `fig[du]_${word}{36,60}`),
  shape("Doppler", `dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?${alnum}{40,44}`),
  shape(
    "HashiCorp Vault",
    `hv[sbr]\\.${word}{20,300}`,
    `hv[sbr]\\.(?:(?:CAES|AAAA)${word}{20,300}|${digit}${capital}(?:${alnum}{24}(?![\\w-])|${word}{80,300}))`,
  ),
  shape("Terraform Cloud", `${alnum}{14}\\.atlasv1\\.${word}{60,70}`),
  mark("Shopify", "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
  shape("Square", `sq0(?:atp|csp|idp)-${word}{22,43}`),
  mark("Atlassian", `AT(?:ATT|CTT)3${word}{50,250}(?:=[0-9A-F]{8})?`),
  mark("Docker Hub", `dckr_(?:pat|oat)_${word}{20,40}`),
  mark("RubyGems", "rubygems_[0-9a-f]{48}"),
  shape(
    "Grafana",
    `gl(?:sa|c)_[A-Za-z0-9+/=_]{32,400}`,
    `glsa_${alnum}{32}_${hex}{8}|glc_eyJ[A-Za-z0-9+/=_]{32,400}`,
  ),
  shape("Sentry", `sntry[su]_[A-Za-z0-9+/=_]{40,300}`),
  shape("New Relic", `NR(?:AK|II|RA)-${alnum}{27,42}`),
  mark("Dynatrace", `dt0[a-z]\\d{2}\\.${alnum}{24}\\.${alnum}{64}`),
  mark("Postman", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
  shape("Supabase", "sb[ps]_(?:secret_)?[A-Za-z0-9_]{30,60}"),
  shape("PlanetScale", `pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,70}`),
  shape("Tailscale", `tskey-[a-z]{2,20}-${word}{10,80}`),
  mark("CircleCI", `CCI(?:PAT|PRJ)_${alnum}{15,30}_[0-9a-f]{40}`),
  shape("Netlify", `nfp_${alnum}{36,40}`),
  shape("Pulumi", "pul-[0-9a-f]{40}"),
  mark("LangSmith", `lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}`),
  mark("Age", "AGE-SECRET-KEY-1[0-9A-Z]{58}"),
  mark("1Password", `ops_eyJ${word}{50,3000}`),
  shape("Telegram bot", `\\d{8,10}:AA${word}{32,34}`),
  shape("Discord bot", `[MNO]${alnum}{23,27}\\.${word}{6,7}\\.${word}{27,40}`),
  shape("Azure AD client secret", `[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}`),
  mark("Fly", `fo1_${word}{40,60}|fm[12][ar]?_[A-Za-z0-9+/]{60,3000}={0,2}`),
  mark("NVIDIA", `nvapi-${word}{60,80}`),
  mark("Brevo", `xkeysib-${hex}{64}-${alnum}{16}|xsmtpsib-${hex}{64}-${alnum}{16}`),
  mark("Contentful", `CFPAT-${word}{43}`),
  mark("Flutterwave", `FLWSECK(?:_TEST)?-${hex}{32}-X`),
  mark("Heroku", `HRKU-(?:${hex}{8}(?:-${hex}{4}){3}-${hex}{12}|AA${word}{50,70})`),
  mark("Sourcegraph", `sgp_(?:${hex}{16}_|local_)?${hex}{40}`),
  mark("Shippo", `shippo_(?:live|test)_${hex}{40}`),
  mark("Duffel", `duffel_(?:live|test)_${word}{43}`),
  mark("Clojars", "CLOJARS_[a-z0-9]{60}"),
  mark("Grafana, older keys", "eyJrIjoi[A-Za-z0-9+/]{60,400}={0,2}"),
  mark("Mapbox", `sk\\.eyJ1${word}{40,400}\\.${word}{20,60}`),
  mark("Pinecone", `pcsk_${alnum}{4,10}_${alnum}{50,70}`),
  shape("Airtable", `pat${alnum}{14}\\.${hex}{64}`),
  shape("Adafruit IO", `aio_[A-Z]{4}\\d{2}${alnum}{22}`),
  shape("Buildkite", `bkua_${hex}{40}`),
  shape("Bitbucket app password", `ATBB${alnum}{32}`),
  shape("crates.io", `cio${digit}${alnum}{32}`),
  shape("NuGet", "oy2[a-z0-9]{43}"),
  shape("EasyPost", `EZ[AT]K${alnum}{54}`),
  shape("ElevenLabs", `sk_${hex}{48}`),
  shape("Firecrawl", `fc-${hex}{32}`),
  shape("Cerebras", `csk-[a-z0-9]{48}`),
  shape("Tavily", `tvly-(?:dev-|prod-)?${digit}${alnum}{32}`),
  shape("Neon", `napi_[a-z0-9]{64}`),
  shape("PostHog", `phx_${digit}${alnum}{40,60}`),
  shape("Prefect", `pn[ub]_${digit}${alnum}{36}`),
  shape("ReadMe", "rdme_[a-z0-9]{70}"),
  shape("Resend", `re_${digit}${alnum}{8}_${alnum}{24}`),
  shape("JFrog", `AKCp${alnum}{69}`),
  shape("Alibaba Cloud", `LTAI${digit}${alnum}{12,20}`),
];

const otherShapes: readonly TokenShape[] = [
  {
    // Its run is unbounded, so it may only start where one starts, or shortly behind that.
    owner: "JSON Web Token",
    pattern:
      /eyJ(?<![A-Za-z0-9_-]{65}eyJ)[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{10,}/g,
  },
  {
    owner: "webhook addresses of Slack and Discord",
    pattern:
      /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/)[A-Za-z0-9_/-]{20,200}/g,
  },
];

const gluedBodies = wordShapes.flatMap(({ owner, glued }) =>
  glued === undefined ? [] : [{ owner, body: glued }],
);

export const tokenShapes: readonly TokenShape[] = [
  // As words first: those are whole tokens. A glued one ends where its own signs end.
  ...wordShapes.map(({ owner, body }) => ({ owner, pattern: new RegExp(asWord(body), "g") })),
  ...gluedBodies.map(({ owner, body }) => ({ owner, pattern: new RegExp(body, "g") })),
  ...otherShapes,
];

const oneOf = (shapes: readonly { readonly body: string }[]): string =>
  shapes.map(({ body }) => `(?:${body})`).join("|");

/** One for each kind of place a token may stand in: together they would be slower. */
const anyShape: readonly RegExp[] = [
  new RegExp(`(?<![A-Za-z0-9_])(?:${oneOf(wordShapes)})${end}`),
  new RegExp(`(?:${escapedSign})(?:${oneOf(wordShapes)})${end}`),
  new RegExp(oneOf(gluedBodies)),
  ...otherShapes.map(({ pattern }) => new RegExp(pattern.source)),
];

/** Whether a text holds a token of any shape; far quicker than one look for each. */
export function holdsToken(text: string): boolean {
  return anyShape.some((shapes) => shapes.test(text));
}

/** A credential that can be told by its looks alone. */
export interface TokenShape {
  /** Whose it is. */
  readonly owner: string;
  /** What it looks like, with a letter or digit before and after it excluded. */
  readonly pattern: RegExp;
}

/** A token that is a word by itself. */
interface WordShape extends TokenShape {
  readonly body: string;
}

/**
 * A token's parts as a pattern. Every repetition is bounded or starts only where the run of its
 * characters starts, so that no text makes the search slow.
 */
function shape(owner: string, body: string): WordShape {
  return { owner, body, pattern: new RegExp(asWord(body), "g") };
}

function asWord(body: string): string {
  return `(?<![A-Za-z0-9_])(?:${body})(?![A-Za-z0-9])`;
}

const word = "[A-Za-z0-9_-]";
const alnum = "[A-Za-z0-9]";

/** Published formats (GitHub, GitLab and TruffleHog secret scanning lists, vendors' own pages). */
const wordShapes: readonly WordShape[] = [
  shape(
    "Anthropic, OpenAI, OpenRouter and their like",
    `sk-(?:ant|proj|svcacct|admin|or|lf|None)-${word}{10,400}`,
  ),
  shape("OpenAI", `sk-(?=[A-Za-z_-]{0,60}\\d)${word}{20,400}`),
  shape("GitHub", `gh[pousr]_${alnum}{20,255}`),
  shape("GitHub fine-grained", `github_pat_${alnum}{20,30}_${alnum}{50,70}`),
  shape("GitLab", `gl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|soat|oas|ffct)-${word}{16,100}`),
  shape("AWS access key id", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
  shape("Google API key", `AIza${word}{35}`),
  shape("Google OAuth client secret", `GOCSPX-${word}{28}`),
  shape("Google access token", `ya29\\.${word}{20,400}`),
  shape("Google refresh token", `1//0${word}{30,200}`),
  shape("Slack", `xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,250}`),
  shape("Slack app", `xapp-\\d-[A-Za-z0-9-]{20,250}`),
  shape("Stripe", `(?:sk|rk)_(?:live|test|prod)_${alnum}{10,250}`),
  shape("Stripe webhook", `whsec_[A-Za-z0-9+/=]{20,100}`),
  shape("Twilio", "SK[0-9a-f]{32}"),
  shape("SendGrid", `SG\\.${word}{16,32}\\.${word}{32,64}`),
  shape("Mailgun", "key-[0-9a-f]{32}"),
  shape("Mailchimp", "[0-9a-f]{32}-us\\d{1,2}"),
  shape("npm", `npm_${alnum}{36}`),
  shape("PyPI", `pypi-AgE${word}{50,400}`),
  shape("Hugging Face", `hf_${alnum}{30,60}`),
  shape("Groq", `gsk_${alnum}{40,80}`),
  shape("xAI", `xai-${alnum}{40,120}`),
  shape("Perplexity", `pplx-${alnum}{32,80}`),
  shape("Replicate", `r8_${alnum}{30,60}`),
  shape("DigitalOcean", `do[opr]_v1_[0-9a-f]{64}`),
  shape("Databricks", "dapi[0-9a-f]{32}(?:-\\d)?"),
  shape("Linear", `lin_(?:api|oauth)_${alnum}{32,64}`),
  shape("Notion", `(?:ntn|secret)_${alnum}{40,50}`),
  shape("Figma", `fig[du]_${word}{36,60}`),
  shape("Doppler", `dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?${alnum}{40,44}`),
  shape("HashiCorp Vault", `hv[sbr]\\.${word}{20,300}`),
  shape("Terraform Cloud", `${alnum}{14}\\.atlasv1\\.${word}{60,70}`),
  shape("Shopify", "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
  shape("Square", `sq0(?:atp|csp|idp)-${word}{22,43}`),
  shape("Atlassian", `ATATT3${word}{50,250}(?:=[0-9A-F]{8})?`),
  shape("Docker Hub", `dckr_(?:pat|oat)_${word}{20,40}`),
  shape("RubyGems", "rubygems_[0-9a-f]{48}"),
  shape("Grafana", `gl(?:sa|c)_[A-Za-z0-9+/=_]{32,400}`),
  shape("Sentry", `sntry[su]_[A-Za-z0-9+/=_]{40,300}`),
  shape("New Relic", `NR(?:AK|II|RA)-${alnum}{27,42}`),
  shape("Dynatrace", `dt0[a-z]\\d{2}\\.${alnum}{24}\\.${alnum}{64}`),
  shape("Postman", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
  shape("Supabase", "sb[ps]_(?:secret_)?[A-Za-z0-9_]{30,60}"),
  shape("PlanetScale", `pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,70}`),
  shape("Tailscale", `tskey-[a-z]+-${word}{10,80}`),
  shape("CircleCI", `CCI(?:PAT|PRJ)_${alnum}{15,30}_[0-9a-f]{40}`),
  shape("Netlify", `nfp_${alnum}{36,40}`),
  shape("Pulumi", "pul-[0-9a-f]{40}"),
  shape("LangSmith", `lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}`),
  shape("Age", "AGE-SECRET-KEY-1[0-9A-Z]{58}"),
  shape("1Password", `ops_eyJ${word}{50,3000}`),
  shape("Telegram bot", `\\d{8,10}:AA${word}{32,34}`),
  shape("Discord bot", `[MNO]${alnum}{23,27}\\.${word}{6,7}\\.${word}{27,40}`),
  shape("Azure AD client secret", `[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}`),
];

const otherShapes: readonly TokenShape[] = [
  {
    owner: "JSON Web Token",
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{10,}/g,
  },
  {
    owner: "webhook addresses of Slack and Discord",
    pattern:
      /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/)[A-Za-z0-9_/-]{20,200}/g,
  },
];

export const tokenShapes: readonly TokenShape[] = [...wordShapes, ...otherShapes];

const anyShape = new RegExp(
  [
    asWord(wordShapes.map(({ body }) => `(?:${body})`).join("|")),
    ...otherShapes.map(({ pattern }) => pattern.source),
  ].join("|"),
);

/** Whether a text holds a token of any shape; one look, four times as quick as one for each. */
export function holdsToken(text: string): boolean {
  return anyShape.test(text);
}

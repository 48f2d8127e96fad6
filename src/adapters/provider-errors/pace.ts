import { row, type ProviderErrorRow } from "./row.ts";

/** Too fast, or too many at once: another moment helps. */
export const paceErrors: readonly ProviderErrorRow[] = [
  // A busy server that answers with a 429.
  row(
    "overloaded",
    "Kimi, Mistral, Cerebras, Google, Volcengine",
    {
      code: /^(?:engine_overloaded_error|service_tier_capacity_exceeded|queue_exceeded|MODEL_CAPACITY_EXHAUSTED|ServerOverloaded)$/,
    },
    `429: {"message":"The engine is currently overloaded, please try again later","type":"engine_overloaded_error"}`,
  ),
  row(
    "overloaded",
    "z.ai, Zhipu, MiniMax, Cloudflare",
    { status: [429, "none"], code: /^(?:1305|1312|2064|3040)$/ },
    `429: {"code":"1305","message":"The service may be temporarily overloaded, please try again later"}`,
  ),
  row(
    "overloaded",
    "several, as a 429",
    {
      status: [429],
      text: /\b(?:currently|temporarily) overloaded\b|\bserver (?:is )?overload(?:ed)?\b|\bcapacity (?:temporarily )?exceeded\b|\bno capacity available\b|\bexperiencing high (?:traffic|demand)\b|访问量过大|服务繁忙|系统繁忙|过载/i,
    },
    "429 The engine is currently overloaded, please try again later",
  ),
  row(
    "rate_limit",
    "everybody",
    { status: [429] },
    `429: {"message":"Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.","type":"tokens","param":null,"code":"rate_limit_exceeded"}`,
  ),
  row(
    "rate_limit",
    "Amazon Bedrock",
    { code: /^ThrottlingException$/ },
    "ThrottlingException: Too many requests, please wait before trying again.",
  ),
  row(
    "rate_limit",
    "Amazon Bedrock, through pi",
    { status: ["none"], text: /^Throttling error:/ },
    "Throttling error: Too many tokens, please wait before trying again.",
  ),
  row(
    "rate_limit",
    "OpenAI Responses, Google, LiteLLM (in the stream)",
    {
      status: ["none"],
      code: /^(?:rate_limit_exceeded|rate_limit_error|RESOURCE_EXHAUSTED|RateLimitError|rate_limited|TooManyRequests)$/,
    },
    "Error Code rate_limit_exceeded: Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.",
  ),
  row(
    "rate_limit",
    "several (in the stream)",
    {
      status: ["none"],
      text: /(?:^|: )(?:Rate limit (?:is |was )?(?:reached|exceeded)|Rate limited|Too many (?:concurrent )?requests|Requests? rate limit exceeded)\b/i,
    },
    "Rate limit exceeded: please slow down",
  ),
  row(
    "rate_limit",
    "Claude Code",
    { status: ["none"], text: /^Server is temporarily limiting requests/ },
    "API Error: Server is temporarily limiting requests (not your usage limit) · Rate limited",
  ),
  row(
    "rate_limit",
    "Gemini plans (Cloud Code Assist)",
    { status: ["none"], text: /\bquota will reset after\b/i },
    "You have exhausted your capacity on this model. Your quota will reset after 45s.",
  ),
];

import { row, type ProviderErrorRow } from "./row.ts";

/** Statuses under which a refusal by policy has been seen. */
const refusedStatus = [400, 403, 422, 451, "none"] as const;

/** Refused by policy: another provider may answer. */
export const refusals: readonly ProviderErrorRow[] = [
  row(
    "refused",
    "Azure OpenAI, OpenAI, Kimi",
    {
      code: /^(?:content_filter|content_policy_violation|ContentPolicyViolationError|ResponsibleAIPolicyViolation|invalid_prompt|cyber_policy)$/,
    },
    `Azure OpenAI API error (400): {"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","type":null,"param":"prompt","code":"content_filter","status":400}`,
  ),
  row(
    "refused",
    "DashScope, Volcengine, MiniMax",
    {
      code: /^(?:data_inspection_failed|DataInspectionFailed|(?:Input|Output)?(?:Text|Image)?SensitiveContentDetected(?:\.\w+)?|(?:input|output)_sensitive_error)$/,
    },
    `400: {"code":"data_inspection_failed","message":"Input data may contain inappropriate content.","type":"data_inspection_failed"}`,
  ),
  row(
    "refused",
    "z.ai, Zhipu",
    { status: [400, "none"], code: /^1301$/ },
    `400: {"code":"1301","message":"System detected potentially unsafe or sensitive content in input or generation."}`,
  ),
  row(
    "refused",
    "OpenAI, Azure OpenAI, xAI, Anthropic",
    {
      status: refusedStatus,
      text: /\brejected as a result of our safety system\b|\bviolat(?:es|ing) (?:our |the )?usage (?:policy|policies|guidelines)\b|\bappears to violate our Usage Policy\b|\bcontent management policy\b|\bcontent filter(?:ing)? policy\b|\bfiltered by the Responsible AI Service\b|\bflagged for possible cybersecurity risk\b|\bContentPolicyViolationError\b|\b(?:blocked|flagged|rejected|refused) by (?:our |the )?(?:usage|content|safety) (?:polic|system|filter)/i,
    },
    `400: {"message":"Your request was rejected as a result of our safety system.","type":"user_error","param":null,"code":null}`,
  ),
  row(
    "refused",
    "OpenRouter",
    { status: [403], text: /\brequires moderation\b|\binput was flagged\b/i },
    `403: {"message":"Your chosen model requires moderation and your input was flagged for \\"violence\\". No credits were charged.","code":403}`,
  ),
  row(
    "refused",
    "Google",
    {
      status: [400, "none"],
      text: /\b(?:prompt|response|content) was blocked\b|\bblocked due to (?:SAFETY|PROHIBITED_CONTENT)\b/i,
    },
    `400: {"code":400,"message":"The prompt was blocked: PROHIBITED_CONTENT","status":"INVALID_ARGUMENT"}`,
  ),
  row(
    "refused",
    "DeepSeek, DashScope, Kimi, MiniMax",
    {
      status: refusedStatus,
      text: /^Content Exists Risk$|\bmay contain (?:inappropriate|sensitive) (?:content|information)\b|\bconsidered high risk\b|\bpotentially unsafe or sensitive content\b|\bnew_sensitive\b|敏感内容|不安全|违规内容/i,
    },
    `400: {"message":"Content Exists Risk","type":"invalid_request_error","param":null,"code":"invalid_request_error"}`,
  ),
  row(
    "refused",
    "OpenAI-compatible, through pi",
    { status: ["none"], text: /^Provider finish_reason: content_filter$/ },
    "Provider finish_reason: content_filter",
  ),
  row(
    "refused",
    "Google, Anthropic, through pi",
    {
      status: ["none"],
      text: /^Provider stopped with: (?:SAFETY|IMAGE_SAFETY|PROHIBITED_CONTENT|BLOCKLIST|SPII|RECITATION|sensitive)$/,
    },
    "Provider stopped with: PROHIBITED_CONTENT",
  ),
  row(
    "refused",
    "Anthropic, through pi",
    { status: ["none"], text: /^The model refused to complete the request$/ },
    "The model refused to complete the request",
  ),
];

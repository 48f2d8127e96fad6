import { row, type ProviderErrorRow } from "./row.ts";

/** The account has used up its window, its money or its pace. */
export const limitErrors: readonly ProviderErrorRow[] = [
  // The account's window is spent, or its money.
  row(
    "usage_limit",
    "OpenAI",
    { code: /^(?:insufficient_quota|billing_hard_limit_reached)$/ },
    `429: {"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}`,
  ),
  row(
    "usage_limit",
    "ChatGPT plans",
    { code: /^(?:usage_limit_reached|usage_not_included)$/ },
    `429: {"type":"usage_limit_reached","message":"The usage limit has been reached","plan_type":"plus","resets_at":1796074200,"resets_in_seconds":7200}`,
  ),
  row(
    "usage_limit",
    "ChatGPT plans, through pi",
    { text: /^You have hit your ChatGPT usage limit/ },
    "You have hit your ChatGPT usage limit (plus plan). Try again in ~90 min.",
  ),
  row(
    "usage_limit",
    "Sign in with ChatGPT",
    { text: /subscription_sharing_(?:workplace_individual_)?usage_limit_exceeded/ },
    "OpenAI API error (429): subscription_sharing_usage_limit_exceeded",
  ),
  row(
    "usage_limit",
    "OpenCode Zen",
    { code: /^(?:Go|Free)UsageLimitError$/ },
    `429: {"type":"GoUsageLimitError","message":"Weekly usage limit reached. Resets in 3 days. Enable usage of your available balance in settings."}`,
  ),
  row(
    "usage_limit",
    "z.ai",
    { code: /^(?:1308|1310|1113)$/ },
    `429: {"code":"1308","message":"Usage limit reached for 5 hour. Your limit will reset at 2025-09-30 23:10:05"}`,
  ),
  row(
    "usage_limit",
    "Kimi",
    { code: /^exceeded_current_quota_error$/ },
    `429: {"message":"Your account org-x is suspended, please check your plan and billing details","type":"exceeded_current_quota_error"}`,
  ),
  row(
    "usage_limit",
    "Kimi For Coding",
    { status: [403], text: /usage limit for this billing cycle/i },
    `403: {"message":"You've reached your usage limit for this billing cycle. Your quota will be refreshed in the next cycle.","type":"access_terminated_error"}`,
  ),
  row(
    "usage_limit",
    "DeepSeek, OpenRouter",
    { status: [402] },
    `402: {"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}`,
  ),
  row(
    "usage_limit",
    "Anthropic",
    { status: [400, 403], text: /credit balance is too low/i },
    `400 {"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."}}`,
  ),
  row(
    "usage_limit",
    "Anthropic",
    { status: [400, 429], text: /reached your specified API usage limits/i },
    `400 {"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC."}}`,
  ),
  row(
    "usage_limit",
    "xAI",
    { status: [403, 429], text: /used all available credits|monthly spending limit/i },
    `403: {"code":"The caller does not have permission to execute the specified operation","error":"Your team x has either used all available credits or reached its monthly spending limit."}`,
  ),
  row(
    "usage_limit",
    "Claude plans",
    { status: [429, "none"], text: /usage limit (?:has been )?reached/i },
    "429 Claude AI usage limit reached|1796074200",
  ),
  row(
    "usage_limit",
    "plans of several providers",
    {
      status: [429, "none"],
      text: /reached your (?:(?:hourly|daily|weekly|monthly|session) )?usage limit|usage limit exceeded/i,
    },
    "429 you have reached your weekly usage limit",
  ),
  row(
    "usage_limit",
    "Gemini plans (Cloud Code Assist)",
    { status: [429, "none"], text: /quota will reset after/i },
    `Cloud Code Assist API error (429): {"error":{"code":429,"message":"You have exhausted your capacity on this model. Your quota will reset after 5h12m33s.","status":"RESOURCE_EXHAUSTED"}}`,
  ),
  row(
    "usage_limit",
    "Google (a day's quota)",
    { status: [429], code: /PerDay/ },
    `429: {"code":429,"message":"You exceeded your current quota, please check your plan and billing details. Please retry in 34.07s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}]}`,
  ),
  row(
    "rate_limit",
    "Google (a minute's quota)",
    { status: [429], code: /PerMinute/ },
    `429: {"code":429,"message":"You exceeded your current quota, please check your plan and billing details. Please retry in 34.07s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}`,
  ),
  row(
    "usage_limit",
    "OpenAI, Groq (a day's limit)",
    { status: [429], text: /per day \((?:RPD|TPD)\)|-per-day\b/i },
    `429: {"message":"Rate limit reached for model llama-3.3-70b-versatile in organization org_x on tokens per day (TPD): Limit 100000, Used 99500, Requested 2000. Please try again in 21m36s.","type":"tokens","code":"rate_limit_exceeded"}`,
  ),
  row(
    "usage_limit",
    "OpenAI, through pi 0.73",
    { status: [429], text: /exceeded your current quota|check your plan and billing/i },
    "429 You exceeded your current quota, please check your plan and billing details.",
  ),
  row(
    "usage_limit",
    "MiniMax",
    { status: [429, "none"], text: /insufficient balance/i },
    `429: {"type":"insufficient_balance_error","message":"insufficient balance (1008)"}`,
  ),

  // A busy server that answers with a 429.
  row(
    "overloaded",
    "Kimi",
    { code: /^engine_overloaded_error$/ },
    `429: {"message":"The engine is currently overloaded, please try again later","type":"engine_overloaded_error"}`,
  ),
  row(
    "overloaded",
    "z.ai",
    { code: /^1305$/ },
    `429: {"code":"1305","message":"The service may be temporarily overloaded, please try again later"}`,
  ),
  row(
    "rate_limit",
    "everybody",
    { status: [429] },
    `429: {"message":"Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.","type":"tokens","param":null,"code":"rate_limit_exceeded"}`,
  ),
];

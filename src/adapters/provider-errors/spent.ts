import { row, type ProviderErrorRow } from "./row.ts";

/** Statuses under which an account that has run out has been seen. */
const spentStatus = [400, 401, 402, 403, 412, 429, 500, "none"] as const;

/** The account has used up its window or its money: it comes back with a reset or a payment. */
export const spentErrors: readonly ProviderErrorRow[] = [
  row(
    "rate_limit",
    "Google (a minute's quota, worded like a spent one)",
    { status: [429], code: /PerMinute/ },
    `429: {"code":429,"message":"You exceeded your current quota, please check your plan and billing details. Please retry in 34.07s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}`,
  ),
  row(
    "usage_limit",
    "OpenAI, LiteLLM, Together AI, Perplexity",
    {
      code: /^(?:insufficient_(?:quota|credits|funds)|billing_\w+|budget_exceeded|credit_limit|payment_required(?:_error)?)$/,
    },
    `429: {"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}`,
  ),
  row(
    "usage_limit",
    "ChatGPT plans",
    { code: /^usage_(?:limit_reached|not_included)$/ },
    `429: {"type":"usage_limit_reached","message":"The usage limit has been reached","plan_type":"plus","resets_at":1796074200,"resets_in_seconds":7200}`,
  ),
  row(
    "usage_limit",
    "several, by code",
    {
      code: /(?:^|_)(?:budget|spend_limit|spending_limit|credits?|balance|(?:daily|weekly|monthly|usage)_limit)_(?:exceeded|exhausted|depleted|reached|too_low)$|^(?:no|not_enough|out_of)_(?:quota|credits?|funds|balance)$/i,
    },
    `429: {"error":{"code":"daily_limit_exceeded","message":"Open api daily request limit reached","type":"rate_limit"}}`,
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
    { code: /^(?:(?:Go|Free)UsageLimitError|CreditsError|MonthlyLimitError)$/ },
    `429: {"type":"GoUsageLimitError","message":"Weekly usage limit reached. Resets in 3 days. Enable usage of your available balance in settings."}`,
  ),
  row(
    "usage_limit",
    "z.ai, Zhipu",
    { code: /^(?:1113|1304|1308|1309|1310)$/ },
    `429: {"code":"1308","message":"Usage limit reached for 5 hour. Your limit will reset at 2025-09-30 23:10:05"}`,
  ),
  row(
    "usage_limit",
    "Kimi, MiniMax",
    { code: /^(?:exceeded_current_quota_error|insufficient_balance_error)$/ },
    `429: {"message":"Your account org-x is suspended, please check your plan and billing details","type":"exceeded_current_quota_error"}`,
  ),
  row(
    "usage_limit",
    "DashScope, Volcengine",
    {
      code: /^(?:Arrearage|AllocationQuota\.FreeTierOnly|Account(?:OverdueError|QuotaExceeded)|SetLimitExceeded)$/,
    },
    `400: {"code":"Arrearage","message":"Access denied, please make sure your account is in good standing.","type":"Arrearage"}`,
  ),
  row(
    "usage_limit",
    "GitHub Copilot",
    { code: /^(?:quota_exceeded|user_(?:weekly|global)_rate_limited)$/ },
    `402: {"message":"You have exceeded your premium request allowance.","code":"quota_exceeded"}`,
  ),
  row(
    "usage_limit",
    "Google",
    { code: /^(?:BILLING_DISABLED|QUOTA_EXHAUSTED)$|PerDay/ },
    `429: {"code":429,"message":"You exceeded your current quota, please check your plan and billing details. Please retry in 34.07s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}]}`,
  ),
  row(
    "usage_limit",
    "Amazon Bedrock",
    { code: /^ServiceQuotaExceededException$/ },
    "ServiceQuotaExceededException: Your request exceeds the service quota for your account.",
  ),
  row(
    "usage_limit",
    "DeepSeek, OpenRouter",
    { status: [402] },
    `402: {"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}`,
  ),
  row(
    "usage_limit",
    "Groq, OpenAI, OpenRouter, Cohere (a limit of days or months)",
    {
      status: [429, "none"],
      text: /(?<![a-z])per[-_ ](?:day|month)(?![a-z])|\bAPI calls \/ month\b|\bByDay\b|\brequests? per 24 ?h/i,
    },
    `429: {"message":"Rate limit reached for model llama-3.3-70b-versatile in organization org_x on tokens per day (TPD): Limit 100000, Used 99500, Requested 2000. Please try again in 21m36s.","type":"tokens","code":"rate_limit_exceeded"}`,
  ),
  row(
    "usage_limit",
    "plans of several providers: reached your … limit",
    {
      status: spentStatus,
      text: /\b(?:hit|reach(?:ed|ing)|exceeded|exhausted|used up)(?:(?<!not) your| the| its)?(?: [\w'’-]+){0,3}? (?:usage|spend(?:ing)?|session|hourly|daily|weekly|monthly|premium|Opus|Sonnet|5-hour)(?: [\w'’-]+){0,3}? (?:limits?|quota|allowance|allocation|credits|cap)\b/i,
    },
    "429 you have reached your weekly usage limit",
  ),
  row(
    "usage_limit",
    "Claude plans, z.ai: … limit reached",
    {
      status: spentStatus,
      text: /\b(?:usage|spend(?:ing)?|session|hourly|daily|weekly|monthly|\d-hour)(?: [\w-]+){0,2} (?:limit|cap|quota|allowance)s?(?: has been| have been| is)? (?:reached|exceeded|exhausted)\b/i,
    },
    "429 Claude AI usage limit reached|1796074200",
  ),
  row(
    "usage_limit",
    "Claude Code: You've hit your … limit",
    {
      status: ["none"],
      text: /^You(?:'ve|’ve| have) (?:hit|reached) your (?:[\w-]+ ){0,3}limit\b|^You(?:'|’)re out of extra usage\b/,
    },
    "You've hit your limit · resets 2am (Asia/Tokyo)",
  ),
  row(
    "usage_limit",
    "Windsurf, Gemini CLI: the day's quota",
    { status: [429, "none"], text: /\b(?:daily|free daily) quota\b/i },
    "429 Your daily quota usage has been exhausted. Please ensure Windsurf is up to date",
  ),
  row(
    "usage_limit",
    "Anthropic, Google, xAI, OpenRouter: money",
    {
      status: spentStatus,
      text: /\b(?:insufficient|not enough|(?:have|has|no|without) any|no|requires more|out of|all available|run out of) (?:[\w-]+ ){0,2}(?:credits?|funds|balance)\b|\bcredit balance is too low\b|\bbalance (?:is|was) (?:insufficient|too low|exhausted)\b|\bcredits? (?:are|is|have been) (?:depleted|exhausted|used up)\b|\bcredits? expired\b|\bout of extra usage\b|\bdoes not include extra usage\b|\bpurchase (?:more |usage )*credits\b|\ball of your included usage\b|\bexceeded (?:its|your|the) budget\b/i,
    },
    `400 {"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."}}`,
  ),
  row(
    "usage_limit",
    "OpenAI, Google, Fireworks: bills",
    {
      status: spentStatus,
      text: /\bcheck your (?:plan|billing|account balance)\b|\bgood standing\b|\bfree allocated quota\b|\breached the set inference limit\b|\bupgrade to Plus\b|\bbilling (?:hard limit|details|to be enabled)\b|\boverdue (?:balance|payment)\b|\bunpaid invoices?\b|\bpast invoices\b|\bpayment method\b|\b(?:credit|key|budget) limit exceeded\b|\bbudget has been exceeded\b|\bover budget\b|\bMax Budget\b|\b(?:spend|spending) limit\b/i,
    },
    "429 You exceeded your current quota, please check your plan and billing details.",
  ),
  row(
    "usage_limit",
    "Cloudflare, DashScope: what was free is used up",
    {
      status: [403, 429],
      text: /\bfree (?:tier|quota|allocation)\b.{0,40}\b(?:exhausted|used up)\b/i,
    },
    `403 The free tier of the model has been exhausted. If you wish to continue access the model on a paid basis, please disable the "use free tier only" mode in the management console.`,
  ),
  row(
    "usage_limit",
    "Zhipu, Volcengine, in Chinese",
    {
      status: spentStatus,
      text: /欠费|余额不足|请充值|使用上限|额度已(?:用完|耗尽)|免费额度|今日.{0,8}(?:限额|上限)/,
    },
    "429 您的账户已欠费，请充值后重试。",
  ),
];

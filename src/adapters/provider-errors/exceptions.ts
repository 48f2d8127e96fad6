import { row, type ProviderErrorRow } from "./row.ts";

const unsaid = ["none"] as const;

/** What SDKs call an error that came to them without a status; the name alone, whatever is around it. */
export const exceptionNames: readonly ProviderErrorRow[] = [
  row(
    "context_overflow",
    "LiteLLM, LangChain, Cline",
    { status: [...unsaid, 400], code: /Context(?:Window|Length|Size|Limit)|PromptTooLong/ },
    "litellm.ContextWindowExceededError: the request was not sent",
  ),
  row(
    "refused",
    "LiteLLM, Azure's SDK",
    {
      status: [...unsaid, 400],
      code: /Content(?:Policy|Filter|Moderation)|Guardrail|^Blocked|SafetyE/,
    },
    "BlockedPromptException: the prompt was not answered",
  ),
  row(
    "model_not_found",
    "OpenCode, AI SDK, Ollama's client",
    {
      status: [...unsaid, 400],
      code: /Model(?:Not(?:Found|Supported|Available)|Unavailable)|NoSuchModel|UnknownModel|^NotFound(?:Error|Exception)?$|^not_found(?:_error)?$|^NOT_FOUND$/,
    },
    `ProviderModelNotFoundError: {"providerID":"zai","modelID":"glm-4.7-airx"}`,
  ),
  row(
    "usage_limit",
    "several",
    {
      status: unsaid,
      code: /Insufficient(?:Quota|Credit|Balance|Funds)|Quota(?:Exceeded|Exhausted)|UsageLimit|PaymentRequired|Billing|BudgetExceeded|ExceededTokenBudget|CreditsExhausted/i,
    },
    "TerminalQuotaExceededError: see the dashboard",
  ),
  row(
    "rate_limit",
    "SDKs of OpenAI, Google, Amazon",
    { status: unsaid, code: /RateLimit|RequestLimit|TooManyRequests|Throttl|ResourceExhausted/i },
    "google.api_core.exceptions.ResourceExhausted: see the documentation",
  ),
  row(
    "auth",
    "SDKs of OpenAI, Anthropic, Google, Amazon",
    {
      status: unsaid,
      code: /Authenticat|Unauthori[sz]ed|Unauthenticated|PermissionDenied|AccessDenied|^Forbidden|Credential|API_?Key|InvalidGrant|RefreshError/i,
    },
    "AI_LoadAPIKeyError: see the settings",
  ),
  row(
    "overloaded",
    "SDKs of OpenAI, Anthropic, Google, Amazon",
    {
      status: unsaid,
      code: /InternalServer|InternalError|ServiceUnavailable|Overloaded|BadGateway|EngineDead|^ServerError|OutOfMemory/i,
    },
    "litellm.ServiceUnavailableError: see the log of the proxy",
  ),
  row(
    "network",
    "httpx, requests, aiohttp, Java, undici",
    {
      status: unsaid,
      code: /ConnectTimeout|ConnectionTimeout|Connect(?:ion)?(?:Error|Exception|Refused|Reset|Aborted)|Connector|RemoteProtocol|ReadError$|WriteError$|PayloadError|IncompleteRead|ChunkedEncoding|Disconnected|SSL|Certificate|Socket(?:Error|Exception)$|ProxyError|UnknownHost|NameResolution|NetworkError|StreamReset|EOFException/i,
    },
    "httpx.ReadError: see the log",
  ),
  row(
    "timeout",
    "httpx, requests, aiohttp, gRPC",
    { status: unsaid, code: /Time-?out|DeadlineExceeded|TimedOut/i },
    "grpc.ServerTimeoutException: see the log",
  ),
];

import { row, type ProviderErrorRow } from "./row.ts";

/** The bare statuses, then errors of a busy server that were relayed without one. */
export const connectionErrors: readonly ProviderErrorRow[] = [
  row(
    "network",
    "proxies that open no tunnel, whatever they answer",
    { text: /^tunneling socket could not be established\b|\bTunnel connection failed\b/ },
    "tunneling socket could not be established, statusCode=502",
  ),
  row(
    "model_not_found",
    "everybody",
    { status: [404, 410] },
    `404 {"type":"error","error":{"type":"not_found_error","message":"model: claude-9"}}`,
  ),
  row(
    "context_overflow",
    "everybody",
    { status: [413] },
    `413: {"message":"failed to parse request","code":""}`,
  ),
  row(
    "timeout",
    "everybody",
    { status: [408] },
    `408: {"message":"litellm.Timeout: APITimeoutError - Request timed out.","type":null,"param":null,"code":"408"}`,
  ),
  row(
    "network",
    "a proxy that asks to sign in",
    { status: [407] },
    "407 Proxy Authentication Required",
  ),
  row(
    "overloaded",
    "Groq (flex)",
    { status: [498] },
    `498: {"message":"Flex tier capacity exceeded","type":"capacity_exceeded"}`,
  ),
  row(
    "overloaded",
    "everybody",
    { status: ["5xx"] },
    `529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
  ),
  row(
    "overloaded",
    "OpenAI Responses, Anthropic, Google (in the stream)",
    {
      status: ["none"],
      code: /^(?:server_error|server_is_overloaded|overloaded_error|api_error|UNAVAILABLE|INTERNAL|DEADLINE_EXCEEDED|internal_server_error|service_unavailable)$/,
    },
    "server_error: An error occurred while processing your request. You can retry your request.",
  ),
  row(
    "overloaded",
    "Amazon Bedrock",
    {
      code: /^(?:ServiceUnavailable|InternalServer|ModelNotReady|ModelError|ModelStreamError)Exception$/i,
    },
    "InternalServerException: The system encountered an unexpected error during processing. Try your request again.",
  ),
  row(
    "overloaded",
    "several (in the stream)",
    {
      status: ["none"],
      text: /^(?:Overloaded|Upstream overloaded)\b|\b(?:is|are) (?:currently |temporarily )?overloaded\b|\bOverloaded errors?$|\bexperiencing (?:very |unusually )?high (?:demand|load|traffic)\b|\bmodel is at capacity\b/i,
    },
    "Upstream overloaded",
  ),
  row(
    "overloaded",
    "OpenAI (in the stream)",
    {
      status: ["none"],
      text: /^(?:The server had an error|Internal server error|Service (?:is )?(?:temporarily )?unavailable|An error occurred while processing your request|Bad gateway|Gateway time-?out)\b/i,
    },
    "Service unavailable: Bedrock is unable to process your request.",
  ),
  row(
    "overloaded",
    "envoy",
    { status: ["none"], text: /^(?:no healthy upstream|upstream connect error)\b/ },
    "upstream connect error or disconnect/reset before headers. reset reason: connection failure",
  ),
  row(
    "overloaded",
    "OpenRouter (in the stream)",
    { status: ["none"], text: /^Provider returned error$/ },
    "Provider returned error",
  ),
  row(
    "overloaded",
    "several: the server, the model or the service is busy",
    {
      status: ["none"],
      text: /\b(?:servers?|service|model|engine|provider|upstream|backend|cluster)(?: is| are| was)?(?: currently| temporarily)? (?:overloaded|unavailable|at capacity|(?:too )?busy|under (?:high|heavy) load)\b|\brunner process (?:has terminated|(?:is )?no longer running)\b/i,
    },
    "The service is currently unavailable",
  ),
];

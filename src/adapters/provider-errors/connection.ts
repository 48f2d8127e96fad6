import { row, type ProviderErrorRow } from "./row.ts";

/** The bare statuses, then errors without one: the connection, or relayed inside a stream. */
export const connectionErrors: readonly ProviderErrorRow[] = [
  // The bare statuses.
  row(
    "model_not_found",
    "everybody",
    { status: [404] },
    `404 {"type":"error","error":{"type":"not_found_error","message":"model: claude-9"}}`,
  ),
  row(
    "context_overflow",
    "everybody",
    { status: [413] },
    `413: {"message":"Request Entity Too Large"}`,
  ),
  row("network", "everybody", { status: [408] }, `408: {"message":"Request Timeout","code":408}`),
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

  // No status: the connection, or an error relayed inside a stream.
  row(
    "timeout",
    "pi (no headers in time)",
    { status: ["none"], text: /^Request timed out\.?/ },
    "Request timed out.: This operation was aborted (20)",
  ),
  row(
    "timeout",
    "pi (no body in time)",
    { status: ["none"], text: /UND_ERR_(?:BODY|HEADERS)_TIMEOUT/ },
    "terminated: Body Timeout Error (UND_ERR_BODY_TIMEOUT)",
  ),
  row(
    "network",
    "pi",
    { status: ["none"], text: /^(?:Connection error\.|terminated|fetch failed)(?::|$)/ },
    "Connection error.: other side closed (UND_ERR_SOCKET)",
  ),
  row(
    "network",
    "Node",
    {
      status: ["none"],
      text: /(?<![A-Za-z0-9_])(?:ECONNRESET|ECONNREFUSED|ECONNABORTED|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)(?![A-Za-z0-9_])/,
    },
    "request to https://oauth2.googleapis.com/token failed, reason: getaddrinfo ENOTFOUND oauth2.googleapis.com",
  ),
  row(
    "network",
    "Node",
    {
      status: ["none"],
      text: /^(?:socket hang up|WebSocket (?:closed|error)\b|Connection closed\.)/,
    },
    "socket hang up",
  ),
  row(
    "network",
    "pi (cut stream)",
    { status: ["none"], text: /stream ended (?:without|before)|^Bedrock stream ended/i },
    "Stream ended without finish_reason",
  ),
  row(
    "network",
    "Codex",
    { status: ["none"], text: /^stream disconnected before completion/ },
    "stream disconnected before completion: stream closed before response.completed",
  ),
  row(
    "network",
    "pi (garbled stream)",
    {
      status: ["none"],
      text: /^Error reading response: malformed server-sent event JSON|^Could not parse Anthropic SSE event|^(?:Unexpected (?:token|end of JSON)|Unterminated string in JSON|Expected .* in JSON at position)/,
    },
    "Error reading response: malformed server-sent event JSON.",
  ),
  row(
    "network",
    "OpenAI-compatible, through pi",
    { status: ["none"], text: /^Provider finish_reason: network_error$/ },
    "Provider finish_reason: network_error",
  ),
  row(
    "overloaded",
    "OpenAI Responses (in the stream)",
    {
      status: ["none"],
      code: /^(?:server_error|server_is_overloaded|overloaded_error|api_error)$/,
    },
    "server_error: An error occurred while processing your request. You can retry your request.",
  ),
  row(
    "rate_limit",
    "OpenAI Responses (in the stream)",
    { status: ["none"], code: /^(?:rate_limit_exceeded|rate_limit_error)$/ },
    "Error Code rate_limit_exceeded: Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.",
  ),
  row(
    "overloaded",
    "several (in the stream)",
    { status: ["none"], text: /\boverloaded\b/i },
    "Upstream overloaded",
  ),
  row(
    "overloaded",
    "OpenAI (in the stream)",
    {
      status: ["none"],
      text: /^The server had an error|^Internal server error|^Service (?:is )?(?:temporarily )?unavailable/i,
    },
    "Service unavailable: Bedrock is unable to process your request.",
  ),
  row(
    "overloaded",
    "OpenRouter (in the stream)",
    { status: ["none"], text: /^Provider returned error$/ },
    "Provider returned error",
  ),
  row(
    "rate_limit",
    "several (in the stream)",
    { status: ["none"], text: /^(?:Rate limit (?:reached|exceeded)|Too many requests)\b/i },
    "Rate limit exceeded: please slow down",
  ),
];

import { row, type ProviderErrorRow } from "./row.ts";

/** Errors without a status: no answer came, or it broke off. */
export const transportErrors: readonly ProviderErrorRow[] = [
  row(
    "timeout",
    "pi, SDKs (no headers in time)",
    {
      status: ["none"],
      text: /^Request timed out\.?|^The operation was aborted due to timeout\b|\bidle timeout waiting for SSE\b|\bcontext deadline exceeded\b/i,
    },
    "Request timed out.: This operation was aborted (20)",
  ),
  row(
    "timeout",
    "undici (no body in time)",
    {
      status: ["none"],
      text: /\bUND_ERR_(?:BODY|HEADERS)_TIMEOUT\b|\b(?:Body|Headers) Timeout Error\b/,
    },
    "terminated: Body Timeout Error (UND_ERR_BODY_TIMEOUT)",
  ),
  row(
    "timeout",
    "undici, by its code",
    {
      status: ["none"],
      code: /^UND_ERR_(?:BODY|HEADERS)_TIMEOUT$|^(?:API|Read|APIConnection)?Timeout(?:Error|Exception)?$/,
    },
    "TimeoutError: signal timed out",
  ),
  row(
    "network",
    "several: connecting took too long",
    {
      status: ["none"],
      text: /\bconnect(?:ion)?(?: attempt)? (?:timed out|timeout)\b/i,
    },
    "connect timeout: could not reach the host",
  ),
  row(
    "timeout",
    "several: it took too long",
    {
      status: ["none"],
      text: /\btimed out\b|^(?:Read|Connection|Request)Timeout$|\btimeout (?:awaiting|waiting for|exceeded|expired|reached)\b|\bdeadline exceeded\b|Client\.Timeout\b|\bexceeded (?:the |its )?(?:time ?limit|timeout)\b/i,
    },
    "The read operation timed out",
  ),
  row(
    "network",
    "pi, Node, Codex",
    {
      status: ["none"],
      text: /^(?:Connection error\.|terminated|fetch failed|Connection closed\.|Connection failed)(?::|$|\s)/,
    },
    "Connection error.: other side closed (UND_ERR_SOCKET)",
  ),
  row(
    "network",
    "Node, undici, by code in the text",
    {
      status: ["none"],
      text: /(?<![A-Za-z0-9_])(?:E(?:CONN(?:RESET|REFUSED|ABORTED)|TIMEDOUT|PIPE|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|PROTO)|UND_ERR_(?:SOCKET|CONNECT_TIMEOUT)|ERR_(?:HTTP2|TLS|SSL)_[A-Z_]+|NGHTTP2_[A-Z_]+|HPE_[A-Z_]+|CERT_[A-Z_]+|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT[A-Z_]*|UNABLE_TO_(?:VERIFY|GET)_[A-Z_]+)(?![A-Za-z0-9_])/,
    },
    "request to https://oauth2.googleapis.com/token failed, reason: getaddrinfo ENOTFOUND oauth2.googleapis.com",
  ),
  row(
    "network",
    "Node, undici, by code",
    {
      status: ["none"],
      code: /^(?:E(?:CONN(?:RESET|REFUSED|ABORTED)|TIMEDOUT|PIPE|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|PROTO)|UND_ERR_\w+|ERR_(?:HTTP2|TLS|SSL)_\w+|HPE_\w+|CERT_\w+|SocketError|ConnectTimeoutError)$/,
    },
    "SocketError: closed",
  ),
  row(
    "network",
    "Node, undici, HTTP/2",
    {
      status: ["none"],
      text: /^(?:socket hang up|other side closed|Premature close|aborted|WebSocket (?:closed|error)|failed to connect to websocket|Parse Error: Expected HTTP|New streams cannot be created after receiving a GOAWAY)(?!\w)/i,
    },
    "socket hang up",
  ),
  row(
    "network",
    "TLS",
    {
      status: ["none"],
      text: /\bSSL routines:|\bSSL certificate verification failed\b|\bself[- ]signed certificate\b|\bcertificate has expired\b|\bunable to verify the first certificate\b/i,
    },
    "API Error: SSL certificate verification failed. Check your proxy or corporate SSL certificates",
  ),
  row(
    "network",
    "programs in Go, Python, Rust and curl",
    {
      status: ["none"],
      text: /\bno such host\b|\bdial tcp\b|\bconnection (?:refused|reset by peer)\b|^unexpected EOF$|\berror sending request for url\b|\bRemoteDisconnected\b|^curl: \((?:5|6|7|16|18|28|35|52|55|56|92)\)|\btransport error: network error\b/i,
    },
    'Post "http://127.0.0.1:11434/api/chat": dial tcp 127.0.0.1:11434: connect: connection refused',
  ),
  row(
    "network",
    "Claude Code",
    { status: ["none"], text: /^Unable to connect to API\b/ },
    "API Error: Unable to connect to API. Check your internet connection",
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
    "network",
    "browsers, Bun, httpx, SDKs: the connection",
    {
      status: ["none"],
      text: /\bsocket (?:connection )?(?:was |is )?(?:closed|disconnected|reset)\b|\bunable to connect\b|\bcould ?n[o']t connect\b|\bfailed to (?:connect|fetch)\b|\bNetworkError\b|\bEAI_[A-Z]+\b|\bpeer closed connection\b|\bincomplete chunked read\b|\brequest ended without sending\b|\bstream (?:was |is )?(?:not closed cleanly|closed|reset|aborted|cut)\b|\bconnection (?:was |has been |is )?(?:broken|closed|lost|dropped|terminated|aborted|interrupted|reset)\b|\bserver (?:closed|dropped) the connection\b|\bserver disconnected\b|\bnetwork (?:error|is unreachable|connection)\b|\bno route to host\b|\bhost (?:is )?unreachable\b|\bname (?:or service not known|resolution)\b|\bNameResolutionError\b|\bmax retries exceeded with url\b|\bproxy (?:connection|error)\b|\bHTTP\/2: "/i,
    },
    "NetworkError when attempting to fetch resource.",
  ),
  row(
    "network",
    "several: certificates and TLS",
    {
      status: ["none"],
      text: /\blocal issuer certificate\b|\bcertificate (?:verify failed|verification failed|is not trusted|signed by unknown authority)\b|\bx509: \w+|\bTLS (?:handshake|connection)\b/i,
    },
    "unable to get local issuer certificate",
  ),
];

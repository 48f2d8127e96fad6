import { row, type ProviderErrorRow } from "./row.ts";

/** Signed out, or not allowed. */
export const accessErrors: readonly ProviderErrorRow[] = [
  row(
    "auth",
    "everybody",
    { status: [401] },
    `401: {"message":"Incorrect API key provided: sk-xxxx.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}`,
  ),
  row(
    "auth",
    "everybody",
    { status: [403] },
    `403 {"type":"error","error":{"type":"permission_error","message":"Your API key does not have permission to use the specified resource."}}`,
  ),
  row(
    "auth",
    "Google, LiteLLM, OpenAI (another status, or none)",
    {
      code: /^(?:API_KEY_INVALID|UNAUTHENTICATED|PERMISSION_DENIED|authentication_error|permission_error|auth_error|invalid_api_key|AuthenticationError|token_expired)$/,
    },
    `400: {"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}`,
  ),
  row(
    "auth",
    "xAI, Google, OpenAI, LiteLLM",
    {
      status: [400, "none"],
      text: /^(?:Incorrect|Invalid|Missing|Wrong|Expired) API[ -]key\b|^API key (?:not valid|expired|is invalid|is missing)\b|^Authentication Error\b|^Unauthorized\b/i,
    },
    `400: {"code":"Client specified an invalid argument","error":"Incorrect API key provided: xa***yz. You can obtain an API key from https://console.x.ai."}`,
  ),
  row(
    "auth",
    "Google, OpenAI",
    {
      status: [400, 451, "none"],
      text: /^User location is not supported|\b(?:country|region), .{0,30}not supported\b/i,
    },
    `400: {"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}`,
  ),
  row(
    "auth",
    "Anthropic",
    {
      status: [400, "none"],
      text: /\borganization has been disabled\b|\bcredential is only authorized for use with\b|\bYour organization does not have access to\b/i,
    },
    `400 {"type":"error","error":{"type":"invalid_request_error","message":"This organization has been disabled."}}`,
  ),
  row(
    "auth",
    "pi",
    { status: ["none"], text: /^No API key (?:for|found for|provided for)\b/ },
    "No API key for provider: openai",
  ),
  row(
    "auth",
    "pi (sign-in expired)",
    {
      status: ["none"],
      text: /\bOAuth (?:authentication|token refresh|refresh) failed\b|^Failed to refresh OAuth token\b/i,
    },
    "Failed to refresh OAuth token for anthropic",
  ),
  row(
    "auth",
    "Claude Code, Codex",
    {
      status: ["none"],
      text: /\bPlease run \/login\b|\bFix external API key\b|^Not (?:logged|signed) in\b|\blog out and sign in again\b|\bsign(?:ing)? in again\.?$|^OAuth token (?:has expired|revoked)\b/i,
    },
    "OAuth token has expired. Please run /login",
  ),
  row(
    "auth",
    "Amazon Bedrock",
    {
      code: /^(?:AccessDeniedException|UnrecognizedClientException|ExpiredTokenException|InvalidSignatureException|CredentialsProviderError)$/,
    },
    "UnrecognizedClientException: The security token included in the request is invalid.",
  ),
  row(
    "auth",
    "Amazon Bedrock, Google Cloud",
    {
      status: ["none"],
      text: /\bsecurity token included in the request is (?:invalid|expired)\b|^Could not load (?:the default )?credentials\b|^invalid_grant\b|^Token is expired\b|\breauth related error\b|\brequires setting the GOOGLE_CLOUD_PROJECT\b/,
    },
    "Could not load credentials from any providers",
  ),
  row(
    "auth",
    "programs that sign in",
    {
      status: [400, "none"],
      text: /\bsession (?:has |is )?expired\b|\brun [`'"]?[\w-]+ (?:auth )?login\b|\bset an auth method\b|(?:\b|_)API[ _-]?KEY(?: environment variable)?(?: is| was)? (?:not set|missing|required|not found|not configured|invalid|expired)\b|\b(?:credentials|token)(?: have| has| is)? expired\b|\binvalid (?:credentials|token|access token|refresh token)\b|\bauthentication (?:failed|required)\b|\bnot authenticated\b|\breauthenticat\w+|\b(?:unable to locate|failed to retrieve|error loading|could not find)\b.{0,20}\b(?:credentials?|token)\b/i,
    },
    "Your session has expired. Please run `codex login` again.",
  ),
];

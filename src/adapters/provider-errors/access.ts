import { row, type ProviderErrorRow } from "./row.ts";

/** Refused by policy, unknown, signed out, not allowed. */
export const accessErrors: readonly ProviderErrorRow[] = [
  // Refusals by policy.
  row(
    "refused",
    "Azure OpenAI",
    { code: /^(?:content_filter|content_policy_violation|ResponsibleAIPolicyViolation)$/ },
    `Azure OpenAI API error (400): {"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","type":null,"param":"prompt","code":"content_filter","status":400}`,
  ),
  row(
    "refused",
    "OpenAI",
    {
      status: [400],
      text: /rejected as a result of our safety system|violating our usage policy/i,
    },
    `400: {"message":"Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a different prompt.","type":"invalid_request_error","param":null,"code":"invalid_prompt"}`,
  ),
  row(
    "refused",
    "OpenRouter",
    { status: [403], text: /requires moderation|input was flagged/i },
    `403: {"message":"Your chosen model requires moderation and your input was flagged for \\"violence\\". No credits were charged.","code":403}`,
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

  // The model is unknown to the provider.
  row(
    "model_not_found",
    "OpenAI, Groq",
    { code: /^(?:model_not_found|model_decommissioned|model_not_supported)$/ },
    '403: {"message":"Project `proj_x` does not have access to model `gpt-5`","type":"invalid_request_error","param":null,"code":"model_not_found"}',
  ),
  row(
    "model_not_found",
    "OpenRouter",
    { status: [400], text: /is not a valid model ID/i },
    `400: {"message":"foo/bar is not a valid model ID","code":400}`,
  ),
  row(
    "model_not_found",
    "DeepSeek",
    { status: [400], text: /^Model Not Exist$/i },
    `400: {"message":"Model Not Exist","type":"invalid_request_error","param":null,"code":"invalid_request_error"}`,
  ),
  row(
    "model_not_found",
    "z.ai",
    { code: /^1211$/ },
    `400: {"code":"1211","message":"Unknown Model, please check the model code."}`,
  ),
  row(
    "model_not_found",
    "OpenAI Codex",
    { status: ["none", 400], text: /\bmodel\b[^.]{0,80}\bis not supported\b/i },
    `Codex error: The 'gpt-5.1-codex' model is not supported when using Codex with a ChatGPT account.`,
  ),

  // Signed out, or not allowed.
  row(
    "auth",
    "Google",
    { status: [400], code: /^API_KEY_INVALID$/ },
    `400: {"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}`,
  ),
  row(
    "auth",
    "xAI",
    { status: [400], text: /^Incorrect API key provided/ },
    `400: {"code":"Client specified an invalid argument","error":"Incorrect API key provided: xa***yz. You can obtain an API key from https://console.x.ai."}`,
  ),
  row(
    "auth",
    "Google",
    { status: [400], text: /^User location is not supported/ },
    `400: {"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}`,
  ),
  row(
    "auth",
    "Anthropic",
    { status: [400], text: /organization has been disabled/i },
    `400 {"type":"error","error":{"type":"invalid_request_error","message":"This organization has been disabled."}}`,
  ),
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
    "pi",
    { status: ["none"], text: /^No API key (?:for|found for|provided for)\b/ },
    "No API key for provider: openai",
  ),
  row(
    "auth",
    "pi (sign-in expired)",
    {
      status: ["none"],
      text: /OAuth (?:authentication|token refresh|refresh) failed|^Failed to refresh OAuth token/i,
    },
    "Failed to refresh OAuth token for anthropic",
  ),
  row(
    "auth",
    "Amazon Bedrock",
    {
      status: ["none"],
      text: /^(?:AccessDeniedException|UnrecognizedClientException|ExpiredTokenException)\b|security token included in the request is (?:invalid|expired)/,
    },
    "UnrecognizedClientException: The security token included in the request is invalid.",
  ),
];

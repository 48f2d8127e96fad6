import { row, type ProviderErrorRow } from "./row.ts";

/** Statuses under which a prompt that is too long has been seen. */
const overflowStatus = [400, 413, 422, 429, 500, "none"] as const;

/** The prompt does not fit. Tried before the limits: two providers report it as a 429. */
export const overflowErrors: readonly ProviderErrorRow[] = [
  row(
    "context_overflow",
    "OpenAI",
    { code: /^context_length_exceeded$/ },
    `400: {"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}`,
  ),
  row(
    "context_overflow",
    "llama.cpp",
    { code: /^exceed_context_size_error$/ },
    `400: {"code":400,"message":"request (186072 tokens) exceeds the available context size (131072 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":186072,"n_ctx":131072}`,
  ),
  row(
    "context_overflow",
    "Anthropic",
    { code: /^request_too_large$/ },
    `413 {"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`,
  ),
  row(
    "context_overflow",
    "OpenAI, Groq (more tokens than a minute allows)",
    { status: [413, 429], text: /^Request too large for (?:model )?\S+/ },
    `429: {"message":"Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 44000. The input or output tokens must be reduced in order to run successfully.","type":"tokens","param":null,"code":"rate_limit_exceeded"}`,
  ),
  row(
    "context_overflow",
    "Anthropic, z.ai",
    { status: overflowStatus, text: /prompt (?:is )?too long/i },
    `400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum"}}`,
  ),
  row(
    "context_overflow",
    "Anthropic",
    { status: overflowStatus, text: /exceed context limit: \d+/ },
    '400 {"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 179413 + 32768 > 200000, decrease input length or `max_tokens` and try again"}}',
  ),
  row(
    "context_overflow",
    "OpenAI Responses",
    { status: overflowStatus, text: /exceeds the context window/i },
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  ),
  row(
    "context_overflow",
    "OpenRouter, vLLM, pi 0.73",
    { status: overflowStatus, text: /maximum context length (?:(?:of \S+ )?is|of) [\d,]+/i },
    "400 This endpoint's maximum context length is 32768 tokens. However, you requested about 33077 tokens (31000 of text input, 2077 in the output). Please reduce the length of either one.",
  ),
  row(
    "context_overflow",
    "LiteLLM",
    { status: overflowStatus, text: /exceeds (?:the )?(?:model'?s )?maximum context length/i },
    `400: {"message":"Input length (265330) exceeds model's maximum context length (262144).","type":"BadRequestError","code":400}`,
  ),
  row(
    "context_overflow",
    "LiteLLM",
    { status: overflowStatus, text: /context window exceeded/i },
    `400: {"message":"litellm.ContextWindowExceededError: litellm.BadRequestError: Context Window exceeded for given call.","type":null,"code":"400"}`,
  ),
  row(
    "context_overflow",
    "Google",
    { status: overflowStatus, text: /input token count.*exceeds the maximum/i },
    `400: {"code":400,"message":"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).","status":"INVALID_ARGUMENT"}`,
  ),
  row(
    "context_overflow",
    "xAI",
    { status: overflowStatus, text: /maximum prompt length is [\d,]+/i },
    `400: "This model's maximum prompt length is 131072 but the request contains 537812 tokens."`,
  ),
  row(
    "context_overflow",
    "Groq",
    { status: overflowStatus, text: /reduce the length of the messages/i },
    `400: {"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages"}`,
  ),
  row(
    "context_overflow",
    "OpenRouter (Poolside)",
    { status: overflowStatus, text: /exceeds (?:the )?maximum allowed input length/i },
    `400: {"message":"Input length 300000 exceeds the maximum allowed input length of 131072 tokens.","code":400}`,
  ),
  row(
    "context_overflow",
    "Together AI",
    { status: overflowStatus, text: /longer than the (?:model'?s )?context (?:length|window)/i },
    `400: {"message":"The input (40000 tokens) is longer than the context length (32768 tokens) of the model.","type":"invalid_request_error"}`,
  ),
  row(
    "context_overflow",
    "GitHub Copilot",
    { status: overflowStatus, text: /token count of \d+ exceeds the limit of \d+/i },
    `400: {"message":"prompt token count of 12551 exceeds the limit of 1000","code":"model_max_prompt_tokens_exceeded"}`,
  ),
  row(
    "context_overflow",
    "llama.cpp (older)",
    { status: overflowStatus, text: /exceeds the available context size/i },
    '500: {"code":500,"message":"the request exceeds the available context size, try increasing it","type":"server_error"}',
  ),
  row(
    "context_overflow",
    "LM Studio",
    { status: overflowStatus, text: /greater than the context length/i },
    `400: {"message":"The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input"}`,
  ),
  row(
    "context_overflow",
    "MiniMax",
    { status: overflowStatus, text: /context window exceeds limit/i },
    `400: {"type":"bad_request_error","message":"invalid params, context window exceeds limit (2013)","http_code":"400"}`,
  ),
  row(
    "context_overflow",
    "Kimi",
    { status: overflowStatus, text: /exceeded model token limit/i },
    `400: {"message":"Invalid request: Your request exceeded model token limit: 262144 (requested: 310022)","type":"invalid_request_error"}`,
  ),
  row(
    "context_overflow",
    "Mistral",
    { status: overflowStatus, text: /too large for model with \d+ maximum context length/i },
    `Mistral API error (400): {"object":"error","message":"Prompt contains 40112 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_prompt","code":"3051"}`,
  ),
  row(
    "context_overflow",
    "z.ai (China)",
    { status: overflowStatus, text: /prompt exceeds max length/i },
    `400: {"code":"1261","message":"Prompt exceeds max length"}`,
  ),
  row(
    "context_overflow",
    "Amazon Bedrock",
    { status: overflowStatus, text: /input is too long for requested model/i },
    "Validation error: Input is too long for requested model.",
  ),
  row(
    "context_overflow",
    "DashScope",
    { status: overflowStatus, text: /range of input length should be/i },
    `400: {"code":"invalid_parameter_error","message":"Range of input length should be [1, 129024]","type":"invalid_request_error"}`,
  ),
  row(
    "context_overflow",
    "DS4",
    { status: overflowStatus, text: /but the configured context size is [\d,]+ tokens/i },
    `400: {"message":"Prompt has 140000 tokens, but the configured context size is 131072 tokens"}`,
  ),
  row(
    "context_overflow",
    "GitHub Models, Azure AI Foundry",
    { code: /^tokens_limit_reached$/ },
    `413: {"code":"tokens_limit_reached","message":"Request body too large for gpt-4o model. Max size: 8000 tokens."}`,
  ),
  row(
    "context_overflow",
    "Vertex AI, Amazon Bedrock",
    {
      status: overflowStatus,
      text: /\binput token count (?:is \d+|exceeds)|\btoo many input tokens\b|\bmax input tokens: \d+/i,
    },
    `400: {"code":400,"message":"Unable to submit request because the input token count is 1200000 but model only supports up to 1048576.","status":"INVALID_ARGUMENT"}`,
  ),
  row(
    "context_overflow",
    "Together AI, Hugging Face (TGI)",
    {
      status: overflowStatus,
      text: /`inputs` (?:tokens \+ `max_new_tokens` must be <=|must have less than) \d+/,
    },
    `422: {"error":"Input validation error: \`inputs\` must have less than 4095 tokens. Given: 5021","error_type":"validation"}`,
  ),
  row(
    "context_overflow",
    "Cohere, Volcengine, SiliconFlow",
    {
      status: overflowStatus,
      text: /\btoo many tokens: (?:total number of tokens in the prompt|size limit exceeded)\b|\btotal tokens of .{0,30}exceed max\b|\blength of prompt_tokens \(\d+\) must be less than\b/i,
    },
    `400: {"message":"too many tokens: total number of tokens in the prompt cannot exceed 128000 - received 140001."}`,
  ),
  row(
    "context_overflow",
    "Ollama, Kimi, vLLM, OpenAI",
    {
      status: overflowStatus,
      text: /\binput (?:token )?length (?:exceeds|is too long|too long)\b|\bexceeded max context length\b|\blonger than the maximum model length of \d+|\binput tokens exceed the configured limit\b/i,
    },
    `400: {"message":"the input length exceeds the context length","type":"api_error"}`,
  ),
  row(
    "context_overflow",
    "llama.cpp, LM Studio",
    {
      status: overflowStatus,
      text: /\bcontext size has been exceeded\b|\binput is too large to process\b|\bloaded with context length of only \d+ tokens\b/i,
    },
    `500: {"code":500,"message":"Context size has been exceeded.","type":"server_error"}`,
  ),
  row(
    "context_overflow",
    "Google, OpenAI (bytes)",
    {
      status: overflowStatus,
      text: /\bpayload size exceeds the limit: \d+|\bstring too long\. Expected a string with maximum length \d+|\brequest (?:entity|body|size) (?:is )?too large\b/i,
    },
    `400: {"code":400,"message":"Request payload size exceeds the limit: 20971520 bytes.","status":"INVALID_ARGUMENT"}`,
  ),
  row(
    "context_overflow",
    "Cloudflare",
    { status: overflowStatus, text: /\bexceeded this model context window limit\b/i },
    `400: {"message":"AiError: The estimated number of input and maximum output tokens (140000) exceeded this model context window limit (24000).","code":5021}`,
  ),
  row(
    "context_overflow",
    "Claude Code, Codex",
    {
      status: ["none"],
      text: /^Request too large \(max\b|^Context (?:limit reached|low)\b|\bran out of room in the model's context window\b/,
    },
    "Codex ran out of room in the model's context window. Start a new conversation or clear earlier history before retrying.",
  ),
  row(
    "context_overflow",
    "several: input, prompt or context is over its length",
    {
      status: [400, 413, 422, 500, "none"],
      text: /\b(?:context(?! deadline)|prompt|input)(?: (?:length|window|size|tokens?|token count|limit))?\b[^.]{0,40}\b(?:exceed(?:ed|s)?|is too (?:long|large|big))\b/i,
    },
    `400: {"error":"Context length exceeded: 8200 tokens in prompt, model loaded with 4096"}`,
  ),
  row(
    "context_overflow",
    "Zhipu, in Chinese",
    {
      status: overflowStatus,
      text: /Prompt ?超长|(?:输入|上下文|提示词).{0,12}(?:超长|过长|超出|超过)/,
    },
    `400: {"code":"1261","message":"Prompt 超长"}`,
  ),
  row(
    "context_overflow",
    "Cerebras (names no reason)",
    { status: [400], text: /^status code \(no body\)$/, provider: /cerebras/i },
    "400 status code (no body)",
  ),
];

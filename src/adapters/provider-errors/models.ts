import { row, type ProviderErrorRow } from "./row.ts";

/** Statuses under which an unknown model has been seen, beside the bare 404. */
const unknownStatus = [400, 401, 403, 404, 410, 422, 500, "none"] as const;

/** The model is unknown to the provider, gone, or not for this account. */
export const modelErrors: readonly ProviderErrorRow[] = [
  row(
    "model_not_found",
    "OpenAI, Groq, GitHub, LiteLLM",
    {
      code: /^(?:model_(?:not_found|decommissioned|deprecated|not_supported|not_available|permission_blocked_\w+)|unknown_model|invalid_model|unsupported_api_for_model|key_model_access_denied|DeploymentNotFound|InvalidEndpointOrModel\.\w+)$/,
    },
    '403: {"message":"Project `proj_x` does not have access to model `gpt-5`","type":"invalid_request_error","param":null,"code":"model_not_found"}',
  ),
  row(
    "model_not_found",
    "z.ai, Cloudflare, SiliconFlow",
    { status: [400, 404, "none"], code: /^(?:1211|5007|20012)$/ },
    `400: {"code":"1211","message":"Unknown Model, please check the model code."}`,
  ),
  row(
    "model_not_found",
    "Amazon Bedrock",
    { code: /^ResourceNotFoundException$/ },
    "ResourceNotFoundException: Could not resolve the foundation model from the provided model identifier.",
  ),
  row(
    "model_not_found",
    "everybody: the model … does not exist, is not supported",
    {
      status: unknownStatus,
      text: /\bmodel(?: version| ID| code| name)?:?(?: [`'"]?[\w./:@-]+[`'"]?)? (?:does not exist|doesn't exist|not exist|not found|was not found|is not found|is not supported|is not (?:a|an)(?: [\w-]+){1,3} model|is not accessible|is not available|has been (?:decommissioned|deprecated|retired)|is blocked at|has reached (?:its|the) end of (?:its )?life)\b/i,
    },
    '404: {"message":"The model `gpt-9` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":null}',
  ),
  row(
    "model_not_found",
    "OpenRouter, Mistral, Perplexity, vLLM",
    {
      status: unknownStatus,
      text: /\bis not a valid model ID\b|^(?:[\w/]+: )?(?:AiError: )?(?:Unknown|Invalid|No such|Unsupported) model\b|^invalid params, unknown model\b/i,
    },
    `400: {"message":"foo/bar is not a valid model ID","code":400}`,
  ),
  row(
    "model_not_found",
    "Together AI, LM Studio, LiteLLM",
    {
      status: unknownStatus,
      text: /^Unable to access (?:non-serverless )?model\b|^No models? (?:loaded|matching|found)\b|\b(?:not allowed to access|does not have access to) model\b|\bmodels\/\S+ is not found\b/i,
    },
    `400: {"message":"Unable to access model x/y. Please visit https://api.together.ai/models to view the list of supported models.","type":"invalid_request_error"}`,
  ),
  row(
    "model_not_found",
    "Amazon Bedrock, Azure OpenAI",
    {
      status: unknownStatus,
      text: /\bprovided model identifier is invalid\b|\bInvocation of model ID \S+ with on-demand throughput\b|\bdoes not work with the specified model\b/i,
    },
    "Validation error: The provided model identifier is invalid.",
  ),
  row(
    "model_not_found",
    "Claude Code",
    { status: ["none"], text: /\bissue with the selected model\b/ },
    "There's an issue with the selected model (claude-opus-9). It may not exist or you may not have access to it. Run /model to pick a different model.",
  ),
  row(
    "model_not_found",
    "Zhipu, in Chinese",
    { status: unknownStatus, text: /模型不存在|模型.{0,20}(?:已下线|不可用)/ },
    "400 模型不存在，请检查模型代码。",
  ),
];

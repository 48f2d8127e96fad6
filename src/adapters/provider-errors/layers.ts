/** What stood around a message: programs, SDKs and gateways each put their own layer on it. */
export interface Unwrapped {
  readonly status?: number;
  /** Names that layers gave the error: `RateLimitError`, `overloaded_error`. */
  readonly codes: readonly string[];
  readonly rest: string;
}

/** A layer at the start of a text, with its `status` or `code` where it has one. */
const layers: readonly RegExp[] = [
  // Claude Code: `API Error (Request timed out.) · Retrying in 5 seconds… (attempt 4/10)`
  /^API Error \((?<rest>.*)\) · Retrying\b/s,
  /^(?:API Error|stream error|Error|error): (?<rest>.*)$/s,
  // Codex: `…; retrying 1/5 in 210ms…`
  /^(?<rest>.*); retrying \d+\/\d+ in .*$/s,
  /^(?<rest>unexpected status .*), url: https?:\/\/\S+$/s,
  // `429: {…}`, `429 message`, `HTTP 503: …`
  /^(?:HTTP(?: error)? )?(?<status>[45]\d\d):?(?:\s+(?<rest>.*))?$/s,
  // `Azure OpenAI API error (400): …`
  /^[\w .-]+ \((?<status>[45]\d\d)\):?\s+(?<rest>.*)$/s,
  // Codex: `unexpected status 503 Service Unavailable: …`, `exceeded retry limit, last status: 429 …`
  /^unexpected status (?<status>[45]\d\d)\b[^:{]*:?\s*(?<rest>.*)$/s,
  /^exceeded retry limit, last status: (?<status>[45]\d\d)\b\s*(?<rest>.*)$/s,
  // axios, OpenAI's Python SDK, Google's SDKs
  /^Request failed with status code (?<status>[45]\d\d)\b(?<rest>.*)$/s,
  /^Error code: (?<status>[45]\d\d) - (?<rest>.*)$/s,
  /^(?:ApiError: )?got status: (?<status>[45]\d\d)\b[^{]*(?<rest>.*)$/s,
  /^\[GoogleGenerativeAI Error\]: [^[]*\[(?<status>[45]\d\d) [^\]]*\]\s*(?<rest>.*)$/s,
  // `overloaded_error: Overloaded` (relayed in a stream), `openai.RateLimitError: …`,
  // `ThrottlingException: Rate exceeded`, `google.api_core.exceptions.ResourceExhausted: …`
  /^(?:Error Code )?(?:[a-z]\w*\.)*(?<code>[a-z]+(?:_[a-z]+)+|[A-Za-z]\w*(?:Exception|Error)): (?<rest>.*)$/s,
  /^(?:[a-z]\w*\.)+(?<code>[A-Z]\w+): (?<rest>.*)$/s,
  // Perplexity: `[context_length_exceeded] Prompt contains …`
  /^\[(?<code>[a-z]+(?:_[a-z]+)+)\]:? (?<rest>.*)$/s,
  // boto3
  /^An error occurred \((?<code>\w+)\) when calling the \w+ operation(?: \([^)]*\))?: (?<rest>.*)$/s,
  // LiteLLM: `litellm.RateLimitError: RateLimitError: OpenAIException - …`
  /^\w+Exception - (?<rest>.*)$/s,
];

/** Layers that have been seen around one message, and some more. */
const mostLayers = 8;

/** Takes the layers off a text, the outermost first; the first status counts. */
export function unwrap(text: string): Unwrapped {
  let rest = text;
  let status: number | undefined;
  const codes: string[] = [];
  for (let left = mostLayers; left > 0; left -= 1) {
    const found = layers.map((layer) => layer.exec(rest)?.groups).find(Boolean);
    if (found === undefined) break;
    if (found.status !== undefined) status ??= Number(found.status);
    if (found.code !== undefined) codes.push(found.code);
    rest = (found.rest ?? "").trim();
  }
  return { ...(status !== undefined && { status }), codes, rest };
}

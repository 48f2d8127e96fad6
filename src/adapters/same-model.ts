/** Words after a model's name that say which build of it answered, not another model. */
const buildSuffixes: readonly RegExp[] = [
  /^[-@:](?:20\d{6}|20\d\d-\d\d-\d\d|20\d\d-\d\d|\d{2}-\d{2}|\d{4})(?:[-:]v\d+(?::\d+)?)?$/, // claude-…-20250929, gpt-4o-2024-08-06, …-preview-05-20
  /^[-:](?:latest|free|beta|preview|exp|extended|online|nitro|floor|thinking)(?:-\d\d-\d\d)?$/,
  /^-\d{3}$/, // gemini-…-001
  /^[-:]v\d+(?::\d+)?$/, // Bedrock's v1:0
  /^[-.](?:gguf|q\d\w*\.gguf|fp8|bf16|awq|int4|int8)$/,
];

/** Names that ask for whichever model fits: any answer is the one asked for. */
const routers = /(?:^|\/)(?:auto|router|model-router|[a-z-]+-auto|auto-[a-z-]+)$/;

/**
 * True when a provider that answered as `answered` answered as the model `asked`. Providers name
 * builds (`gpt-4o` answers as `gpt-4o-2024-08-06`), add or drop an owner (`openai/gpt-4o`), a
 * region (`us.anthropic.…`) or a file's folder and ending; another model is another name.
 */
export function isSameModel(asked: string, answered: string): boolean {
  const wanted = asked.toLowerCase();
  if (routers.test(wanted)) return true;
  return isBuildOf(bareName(wanted), bareName(answered.toLowerCase()));
}

function isBuildOf(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (!long.startsWith(short)) return false;
  const rest = long.slice(short.length);
  return buildSuffixes.some((suffix) => suffix.test(rest));
}

function bareName(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1);
  return last
    .replace(
      /^(?:(?:us|eu|apac|global)\.)?(?:anthropic|meta|amazon|mistral|deepseek|openai|qwen)\./,
      "",
    )
    .replace(/\.gguf$/, "");
}

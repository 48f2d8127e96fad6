/** Models that answer no prompt of a coder, by the words that providers put into their names. */
const otherTrades =
  /(^|[^a-z])(embed(ding)?s?|nomic-embed|bge|rerank(er)?|whisper|tts|stt|transcribe|audio|realtime|speech|image|imagen|dall-e|diffusion|sora|veo|moderation|guard|clip|ocr|robotics|computer-use|deep-research|search|customtools|cyber|batch)([^a-z]|$)/i;

/** Words by which providers call the small and the large models of a family. */
const smallWords = /(^|[^a-z])(haiku|mini|nano|flash|lite|small|fast|tiny|air|instant)([^a-z]|$)/i;
const largeWords = /(^|[^a-z])(opus|pro|max|large|ultra|heavy)([^a-z]|$)/i;

/** False for other trades, and for names that leave the choice to the provider. */
export function isChatModel(model: string): boolean {
  return !otherTrades.test(model) && !/(^|\/)auto$/i.test(model);
}

/** 0 small, 1 neither, 2 large, by the words of the name. */
export function sizeOf(model: string): number {
  if (smallWords.test(model)) return 0;
  return largeWords.test(model) ? 2 : 1;
}

/** Billions of parameters, as in `qwen3:32b`; 0 where the name says none. */
export function parametersOf(model: string): number {
  return Number(/(?:^|[^a-z0-9.])(\d+(?:\.\d+)?)b(?![a-z0-9])/i.exec(model)?.[1] ?? 0);
}

/** A name taken apart: `claude-opus-4-5-20251101` is of the line `claude-opus`, version 4.5. */
interface ModelName {
  readonly line: string;
  readonly version: number;
  /** A build by its date, `latest`, `preview`: not the name that a provider recommends. */
  readonly isBuild: boolean;
}

/**
 * The newest of each line of models (`gpt-5.4-mini` beside `gpt-5-mini` alone), builds by date
 * only where there is nothing else of their line.
 */
export function currentModels<M extends { readonly provider: string; readonly model: string }>(
  models: readonly M[],
): readonly M[] {
  const newest = new Map<string, { readonly model: M; readonly name: ModelName }>();
  for (const model of models) {
    const name = nameOf(model.model);
    const key = `${model.provider}/${name.line}`;
    const before = newest.get(key);
    if (before === undefined || isNewer(name, before.name)) newest.set(key, { model, name });
  }
  return [...newest.values()].map(({ model }) => model);
}

function isNewer(one: ModelName, other: ModelName): boolean {
  if (one.isBuild !== other.isBuild) return other.isBuild;
  return one.version > other.version;
}

/** Sizes (`32b`) belong to the line: another size is another model. */
function nameOf(id: string): ModelName {
  const build = /[-@:](?:20\d{6}|20\d\d-\d\d(?:-\d\d)?|\d\d-20\d\d|latest|preview|exp)\b/g;
  const bare = id.replace(build, "");
  const version = /(?<![a-z0-9.])v?(\d{1,2})(?:[.-](\d{1,2}))?(?![\d.]*[a-z0-9])/i.exec(
    bare.replace(/^(?:[^/]*\/)*/, "").replace(/([a-z])(\d)/gi, "$1-$2"),
  );
  return {
    line: bare
      .replace(/(?<![a-z0-9.])v?\d{1,2}(?:[.-]\d{1,2})?(?![\d.]*[a-z0-9])/gi, "")
      .replace(/\d+(?:\.\d+)?(?![\d.]*b)/gi, "")
      .replaceAll(/[-.]+/g, "-"),
    version: version === null ? 0 : Number(version[1]) + Number(version[2] ?? 0) / 100,
    isBuild: bare !== id,
  };
}

import type { AdapterModel } from "../../contracts/index.ts";

type Json = Record<string, unknown>;

/**
 * Reads pi's answer to the RPC command `get_available_models`: models whose provider has a key.
 * Undefined when the line is no such answer. A price of zero is unknown, not free.
 */
export function readModelList(line: Buffer): readonly AdapterModel[] | undefined {
  let reply: Json;
  try {
    reply = JSON.parse(line.toString("utf8")) as Json;
  } catch {
    return undefined;
  }
  if (reply.type !== "response" || reply.command !== "get_available_models") return undefined;
  const models = (reply.data as { models?: unknown } | undefined)?.models;
  return (Array.isArray(models) ? (models as Json[]) : []).map((model) => {
    const { input = 0, output = 0, ...cache } = (model.cost ?? {}) as Record<string, number>;
    const { cacheRead = 0, cacheWrite = 0 } = cache;
    return {
      provider: String(model.provider),
      model: String(model.id),
      ...(typeof model.contextWindow === "number" ? { contextWindow: model.contextWindow } : {}),
      ...(typeof model.reasoning === "boolean" ? { reasoning: model.reasoning } : {}),
      ...(Array.isArray(model.input) ? { vision: model.input.includes("image") } : {}),
      ...(typeof model.baseUrl === "string" ? { baseUrl: model.baseUrl } : {}),
      ...(input + output > 0
        ? {
            price: {
              input,
              output,
              ...(cacheRead > 0 ? { cacheRead } : {}),
              ...(cacheWrite > 0 ? { cacheWrite } : {}),
            },
          }
        : {}),
    };
  });
}

import { isDeepStrictEqual } from "node:util";
import { applyEdits, type FormattingOptions, type JSONPath, modify, parse } from "jsonc-parser";
import { KitError } from "../contracts/index.ts";
import type { OverrideChange } from "./difference.ts";
import type { LiveSettings } from "./live-settings.ts";
import { isPlainObject } from "./plain-object.ts";

const block = ["subagents", "agentOverrides"] as const;

/**
 * The settings' text with the changes in it: every other key, its order and comments as they were, new
 * lines indented and ended like the others.
 * @throws KitError `configuration` where reading the result again gives anything but the old settings
 * with these changes (a key that stands there twice), or an override is no object
 */
export function mergeOverrides(live: LiveSettings, changes: readonly OverrideChange[]): string {
  const formattingOptions = formattingOf(live.text);
  let text = live.text;
  const set = (path: JSONPath, value: unknown): void => {
    text = applyEdits(text, modify(text, path, value, { formattingOptions }));
  };
  const wanted = structuredClone(live.settings) as Record<string, unknown>;
  const overrides = below(below(wanted, block[0]), block[1]);
  for (const { state, agent, model, thinking } of changes) {
    if (state === "same") continue;
    const fields = { model, ...(thinking !== undefined && { thinking }) };
    if (state === "update" && !isPlainObject(overrides[agent])) {
      throw cannotMerge(live, `${block.join(".")}.${agent} is no object`);
    }
    if (state === "add") set([...block, agent], fields);
    else for (const [key, value] of Object.entries(fields)) set([...block, agent, key], value);
    overrides[agent] = { ...(overrides[agent] as object | undefined), ...fields };
  }
  if (!isDeepStrictEqual(readAgain(live, text), wanted)) {
    throw cannotMerge(live, "a key of it stands there twice, or is one that cannot be kept");
  }
  return live.hasMark ? `\uFEFF${text}` : text;
}

function readAgain({ hasComments }: LiveSettings, text: string): unknown {
  return hasComments ? parse(text, [], { allowTrailingComma: true }) : JSON.parse(text);
}

/** The object at a key, made where there is none. */
function below(parent: Record<string, unknown>, key: string): Record<string, unknown> {
  return (parent[key] ??= {}) as Record<string, unknown>;
}

function formattingOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

function cannotMerge({ file }: LiveSettings, reason: string): KitError {
  return new KitError("configuration", `${file} cannot be changed safely: ${reason}.`, {
    next: "Mend it by hand; nothing was written",
  });
}

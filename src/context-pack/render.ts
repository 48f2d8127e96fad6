import { type ContextPack, KitError } from "../contracts/index.ts";
import { toVersion2 } from "./codec.ts";
import { writeMarkdown } from "./markdown/write.ts";
import { describePackErrors } from "./pack-error.ts";
import type { Version1Json, Version2Json } from "./json-shape.ts";
import { validatePack } from "./validate.ts";
import { needsVersion2, toVersion1 } from "./version1.ts";

/**
 * A pack as JSON: the version asked for, else the one it was read from, else 1 where that can
 * say everything. Keys stand in the order of writing.
 */
export function packToJson(
  pack: ContextPack,
  version: 1 | 2 = versionToWrite(pack),
): Version1Json | Version2Json {
  return version === 2 ? toVersion2(pack) : toVersion1(pack).json;
}

/** Packs never change: one is measured, recorded and sent, and rendered once for all of that. */
const rendered = new WeakMap<ContextPack, string>();

/**
 * The canonical Markdown of a pack, the same bytes for the same pack.
 * @param version as for `packToJson`.
 * @throws KitError `usage` when the pack is not valid: `invalid pack: goal, constraints missing`.
 */
export function renderPack(pack: ContextPack, version?: 1 | 2): string {
  if (version !== undefined) return writeMarkdown(checked(packToJson(pack, version)));
  const known = rendered.get(pack);
  if (known !== undefined) return known;
  const markdown = writeMarkdown(checked(packToJson(pack)));
  rendered.set(pack, markdown);
  return markdown;
}

/**
 * The canonical Markdown of a JSON value.
 * @throws KitError `usage` when it is no valid pack.
 */
export function renderJson(value: unknown): string {
  return writeMarkdown(checked(value));
}

function checked(value: unknown): Version1Json | Version2Json {
  const errors = validatePack(value);
  if (errors.length > 0) throw new KitError("usage", `invalid pack: ${describePackErrors(errors)}`);
  return value as Version1Json | Version2Json;
}

function versionToWrite(pack: ContextPack): 1 | 2 {
  if (pack.version !== undefined) return pack.version;
  return needsVersion2(pack) ? 2 : 1;
}

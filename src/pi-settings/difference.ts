import type { LiveSettings } from "./live-settings.ts";
import { isPlainObject } from "./plain-object.ts";
import type { ProposedOverride } from "./proposal.ts";

/** How one proposed override stands to pi's settings as they are. */
export interface OverrideChange extends ProposedOverride {
  readonly state: "add" | "update" | "same";
  /** With `update`: what stands there now, of the two keys alone. */
  readonly before?: { readonly model?: unknown; readonly thinking?: unknown };
}

/**
 * What would change. A level that stands there and that the binding does not set is left as it is:
 * unset means that kit has no say in it.
 */
export function compareOverrides(
  proposed: readonly ProposedOverride[],
  { overrides }: LiveSettings,
): OverrideChange[] {
  return proposed.map((override) => {
    const now = Object.hasOwn(overrides, override.agent) ? overrides[override.agent] : undefined;
    if (now === undefined) return { ...override, state: "add" };
    const { model, thinking } = isPlainObject(now) ? now : { model: now };
    const isSame =
      isPlainObject(now) &&
      model === override.model &&
      (override.thinking === undefined || thinking === override.thinking);
    if (isSame) return { ...override, state: "same" };
    const before = {
      ...(model !== undefined && { model }),
      ...(thinking !== undefined && { thinking }),
    };
    return { ...override, state: "update", before };
  });
}

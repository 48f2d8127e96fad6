import type { LeftOut } from "./arbiter.ts";
import type { MemoryItem } from "./item.ts";

/** A skill that was promoted, with the hash it had then. */
export interface PromotedSkill {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly contentSha256: string;
  /** Its content still has that hash. */
  readonly verifies: boolean;
}

/** Promoted skills as items; one that has changed since is left out and named. */
export function skillItems(
  project: string,
  skills: readonly PromotedSkill[],
): { readonly items: readonly MemoryItem[]; readonly leftOut: readonly LeftOut[] } {
  const changed = skills.filter(({ verifies }) => !verifies);
  return {
    items: skills
      .filter(({ verifies }) => verifies)
      .map(({ id, name, description, contentSha256 }) => ({
        id: `skill_${id}`,
        kind: "skill",
        project,
        summary: description === undefined ? name : `${name}: ${description}`,
        authority: "instruction",
        confidence: "verified",
        status: "current",
        provenance: { sourceType: "git", sourceRef: `skill:${id}@${contentSha256}` },
      })),
    leftOut: changed.map(({ id }) => ({
      id: `skill_${id}`,
      why: "its content has changed since it was promoted",
    })),
  };
}

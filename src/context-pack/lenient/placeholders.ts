import type { SectionName } from "../sections.ts";

/** Words that models write where a list has no items. */
const NOTHING =
  /^[("'`*_[]*(?:none|n\/?a|nil|null|nothing|empty|not applicable|no items?|-|—|keine|aucune?|ninguno|无|なし)[)"'`*_\].]*$/i;

/** `No previous attempts.`, only where it cannot be an item: "No new files" is a constraint. */
const NOTHING_OF_ITS_KIND: { readonly [K in SectionName]?: RegExp } = {
  repo_rules:
    /^(?:none (?:were|was|are|given|found|provided|known|shown)\b|no (?:specific |repo(?:sitory)? )*rules?\b)/i,
  relevant_snippets: /^(?:none\b|no (?:relevant |code )?snippets?\b)/i,
  observed_errors: /^(?:none\b|no (?:observed |known |relevant )?errors?\b)/i,
  test_commands:
    /^(?:none\b|no (?:known |relevant |specific )?(?:test commands?|commands?|tests)\b)/i,
  previous_attempts: /^(?:none\b|no (?:previous |prior |earlier )?attempts?\b)/i,
};

/** Whether an item only says that there is none. */
export function isPlaceholder(text: string, section?: SectionName): boolean {
  const word = text.trim();
  if (word.length > 60) return false;
  const own = section === undefined ? undefined : NOTHING_OF_ITS_KIND[section];
  return NOTHING.test(word) || own?.test(word) === true;
}

/** `---` between sections and items: a line that models draw. */
export function isRuler(text: string): boolean {
  return /^[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t\r]*$/.test(text);
}

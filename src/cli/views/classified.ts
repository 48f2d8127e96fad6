import type { ClassifiedTask } from "../../routing/index.ts";
import { originDocument, originText } from "./route-document.ts";

/** `rule pictures (routing/classify.yaml:14): it names the picture shot.png`. */
export function classifiedText({ rule, because }: ClassifiedTask): string {
  return `rule ${rule.value.name} (${originText(rule)}): ${because.join(", ")}`;
}

/** What chose the capability, as `--json` shows it. */
export function classifiedDocument({
  capability,
  rule,
  because,
}: ClassifiedTask): Record<string, unknown> {
  return { capability, rule: rule.value.name, because, source: originDocument(rule) };
}

import { thinkingLevels, type Problem } from "../contracts/index.ts";
import { didYouMean } from "../lib/nearest-name.ts";
import { checkBinding } from "./check-binding.ts";
import { bindingOf, capabilityEntry, isPlaceholder } from "./entries.ts";
import type { MergedEntry, MergedSections } from "./merge.ts";
import { requirableProperties } from "./route.ts";

/** What no single file can know: names that no layer defines, at the place that names them. */
export function checkRegistry(sections: MergedSections): readonly Problem[] {
  return [...checkCapabilities(sections), ...checkLadders(sections), ...checkBindings(sections)];
}

function checkCapabilities(sections: MergedSections): Problem[] {
  const known = new Set([...sections.backends.keys(), ...sections.bindings.keys()]);
  const problems: Problem[] = [];
  for (const [name, entry] of enabled(sections.capabilities)) {
    const { primary, fallback, requires } = capabilityEntry(entry.value);
    if (primary === "") {
      problems.push(
        report(entry, name, [], "error", "has no primary: name the backend that serves it first"),
      );
    }
    const named: [string, (string | number)[]][] = [
      [primary, ["primary"]],
      ...fallback.map((backend, index): [string, (string | number)[]] => [
        backend,
        ["fallback", index],
      ]),
    ];
    for (const [backend, path] of named) {
      if (backend === "" || known.has(backend)) continue;
      const message = `no layer defines the backend "${backend}"${didYouMean(backend, known)}`;
      problems.push(report(entry, name, path, "error", message));
    }
    for (const property of Object.keys(requires)) {
      if (requirableProperties.includes(property)) continue;
      const allowed = requirableProperties.join(", ");
      const message = `no backend can have "${property}"; it may be one of ${allowed}`;
      const hint = didYouMean(property, requirableProperties);
      problems.push(report(entry, name, ["requires", property], "warning", message + hint));
    }
  }
  return problems;
}

function checkLadders(sections: MergedSections): Problem[] {
  const known = [...sections.capabilities.keys()];
  return enabled(sections.ladders).flatMap(([name, entry]) => {
    const steps = entry.value as readonly string[];
    return steps.flatMap((step, index) => {
      if (!known.includes(step)) {
        const message = `no layer defines the capability "${step}"${didYouMean(step, known)}`;
        return [report(entry, name, [index], "error", message)];
      }
      if (steps.indexOf(step) === index) return [];
      return [report(entry, name, [index], "warning", `"${step}" stands in the ladder twice`)];
    });
  });
}

function checkBindings(sections: MergedSections): Problem[] {
  const served = enabled(sections.capabilities).flatMap(([, entry]) => {
    const { primary, fallback } = capabilityEntry(entry.value);
    return [primary, ...fallback];
  });
  const known = new Set([...sections.backends.keys(), ...served]);
  return enabled(sections.bindings).flatMap(([name, entry]) => {
    const problems: Problem[] = [];
    if (!known.has(name)) {
      const message = `no capability uses the backend "${name}"${didYouMean(name, known)}`;
      problems.push(report(entry, name, [], "warning", message));
    }
    const binding = bindingOf(entry.value);
    for (const { key, severity, message } of isPlaceholder(entry.value)
      ? []
      : checkBinding(binding))
      problems.push(report(entry, name, [key], severity, message));
    const { model, thinking } = binding;
    const level = thinkingLevels.find((word) => model.endsWith(`:${word}`));
    if (level !== undefined && thinking === undefined) {
      const message = `the id ends in ":${level}" and is passed on whole; if that is the thinking level, write thinking: ${level}`;
      problems.push(report(entry, name, ["model"], "warning", message));
    }
    return problems;
  });
}

function enabled(section: ReadonlyMap<string, MergedEntry>): readonly [string, MergedEntry][] {
  return [...section].filter(([, entry]) => entry.value !== null);
}

/** A problem at the layer that gave the key; a list's item stands where its list came from. */
function report(
  entry: MergedEntry,
  name: string,
  path: readonly (string | number)[],
  severity: Problem["severity"],
  message: string,
): Problem {
  const key = path.filter((part) => typeof part === "string").join(".");
  const origin = entry.keys.get(key) ?? entry.origin;
  return origin.from.problem(severity, [name, ...path], message);
}

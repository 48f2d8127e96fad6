import type { ContextAudit, ContextPacket, FactsRead, MemoryItem } from "../../memory/index.ts";
import { counted, formatCount } from "./format.ts";
import { printable } from "./printable.ts";
import { problemLines } from "./problem-text.ts";

const sections = [
  ["contradictions", "contradictions"],
  ["currentState", "state"],
  ["knowledge", "knowledge"],
  ["evidence", "evidence"],
  ["episodes", "earlier runs"],
  ["skills", "skills"],
] as const;

/** A packet for people: what is in it, and what is missing. */
export function packetLines(packet: ContextPacket, audit: ContextAudit): string[] {
  const { request, selected, candidates, tokens, budget } = audit;
  return [
    `${request.role}: ${selected.length} of ${counted(candidates.length, "item")}, ${formatCount(tokens)} of ${counted(budget, "token")}`,
    ...sections.flatMap(([key, heading]) => {
      const items = packet[key];
      return items.length === 0 ? [] : ["", heading, ...items.flatMap(itemLines)];
    }),
    ...(packet.gaps.length > 0
      ? ["", "gaps", ...packet.gaps.map((gap) => `  ${printable(gap)}`)]
      : []),
  ];
}

/** An item: its id and standing, then what it says. */
export function itemLines(item: MemoryItem): string[] {
  const when = item.observedAt === undefined ? "" : `, ${item.observedAt.slice(0, 10)}`;
  return [
    `  ${printable(item.id)} (${item.kind}, ${item.authority}, ${item.confidence}${when})`,
    ...printable(item.summary)
      .split("\n")
      .map((line) => `    ${line}`.trimEnd()),
  ];
}

/** The facts that take no part, and why. */
export function factLines({ facts, problems }: FactsRead, unreadable: number): string[] {
  const unused = facts.filter(({ used }) => !used);
  return [
    ...(unused.length > 0 ? ["", "facts that take no part"] : []),
    ...unused.map(({ file, because }) => `  ${printable(file)}: ${because}`),
    ...(unreadable > 0
      ? ["", `${counted(unreadable, "line")} of the journal could not be read`]
      : []),
    ...problemLines(problems),
  ];
}

export function factsDocument({ facts, problems }: FactsRead): Record<string, unknown> {
  return {
    facts: facts.map(({ file, record, used, because }) => ({ file, id: record.id, used, because })),
    problems,
  };
}

import type { TestMove } from "../../contracts/index.ts";
import type { Receipt } from "../../runs/index.ts";
import { alignColumns, counted, type Paint } from "./format.ts";

const mostNamed = 10;

const moveWords: Readonly<Record<TestMove, string>> = {
  regressed: "red since the change",
  still_red: "still red",
  gone: "gone",
  skipped: "skipped since the change",
  fixed: "fixed",
};

/** What the last change did to the tests: how many moved which way, and the worst by name. */
export function tallyLines({ gate }: Receipt, paint: Paint): readonly string[] {
  const tests = gate.change?.tests;
  if (tests === undefined) return [];
  const { passed, failed, skipped, moves, named } = tests;
  const moved = Object.entries(moves);
  const total = moved.reduce((sum, [, count]) => sum + count, 0);
  const shown = named.slice(0, mostNamed);
  const states = [`${passed} passed`, `${failed} failed`, `${skipped} skipped`];
  const ways = moved.map(([move, count]) => `${count} ${moveWords[move as TestMove]}`);
  return [
    `  tests: ${states.join(", ")}${ways.length === 0 ? "" : ` (${ways.join(", ")})`}`,
    ...alignColumns(
      shown.map(({ id, move }) => [moveWords[move], id.replaceAll("\n", " ")]),
      "    ",
    ),
    ...(total > shown.length
      ? [paint("quiet", `    … and ${counted(total - shown.length, "more test")}: kit report`)]
      : []),
  ];
}

/** That other processes went on with the run. */
export function resumedLines({ resumed }: Receipt): readonly string[] {
  return resumed === undefined ? [] : [`  resumed: ${counted(resumed, "time")}`];
}

/** Who could have been asked and who was left out, and what decided that; a fact a line. */
export function groundLines({ ground }: Receipt): readonly string[] {
  if (ground === undefined) return [];
  const { versions, routes, sources, tree, treeAfter } = ground;
  const adapters = Object.entries(versions.adapters ?? {}).map(([name, is]) => `, ${name} ${is}`);
  const after = treeAfter === undefined ? "" : `, afterwards ${treeAfter.hash.slice(0, 12)}`;
  return [
    ...routes.flatMap(({ capability, candidates, skipped }) => [
      `  ${capability}: ${candidates.map(({ backend }) => backend).join(", ") || "nobody"}`,
      ...skipped.map(({ backend, reason }) => `    without ${backend}: ${reason}`),
    ]),
    ...sources
      .filter(({ layer }) => layer !== "shipped")
      .map(({ layer, file, hash }) => `  ${layer}: ${file} (${hash?.slice(0, 12) ?? "unread"})`),
    ...(tree === undefined
      ? []
      : [`  tree ${tree.head.slice(0, 12)}, as it stood ${tree.hash.slice(0, 12)}${after}`]),
    `  kit ${versions.kit}, Node ${versions.node}, ${versions.platform}${adapters.join("")}`,
  ];
}

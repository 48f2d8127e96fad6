import { memoryTree, parseReply, planChanges } from "../../src/changes/index.ts";
import { repoPath, type RepoPath } from "../../src/contracts/index.ts";
import { median, type BenchRow } from "./row.ts";

const rounds = 9;
const path = repoPath("src/a.js");
const paths = new Map<RepoPath, "existing">([[path, "existing"]]);
const scope = { paths, root: "/repository", isTracked: () => false, mayCreate: () => false };
const line = "  const total = add(first, second); // 60 characters of code\n";

/** Replies of 1 MB and 10 MB in the usual dresses, and in one that makes a reader look ahead. */
export function benchParse(): Promise<readonly BenchRow[]> {
  const file = `=== FILE: ${path} === k3f9\n`;
  const end = "=== END === k3f9\n";
  const hunks = (bytes: number): string =>
    `${path}\n\`\`\`js\n<<<<<<< SEARCH\n${line.repeat(8)}=======\n${line.repeat(8)}>>>>>>> REPLACE\n\`\`\`\n\n`.repeat(
      Math.ceil(bytes / 1_050),
    );
  const dresses: Readonly<Record<string, (bytes: number) => string>> = {
    canonical: (bytes) => file + line.repeat(Math.ceil(bytes / line.length)) + end,
    fence: (bytes) => `${path}\n\`\`\`js\n${line.repeat(Math.ceil(bytes / line.length))}\`\`\`\n`,
    hunks,
    prose: (bytes) => line.repeat(Math.ceil(bytes / line.length)),
  };
  const rows = Object.entries(dresses).flatMap(([dress, reply]) => [
    parseRow(`parse 1 MB, ${dress}`, reply(1_000_000), 50),
    parseRow(`parse 10 MB, ${dress}`, reply(10_000_000), 500),
  ]);
  return Promise.resolve(rows);
}

/** A thousand hunks in one file of 10,000 lines, and one hunk in a file of 10 MB. */
export async function benchPlan(): Promise<readonly BenchRow[]> {
  const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index}\n`);
  const many = Array.from({ length: 1_000 }, (_, index) => ({
    search: `line ${index * 10}\n`,
    replace: `changed ${index}\n`,
    line: index + 1,
  }));
  const anchor = [{ search: "ANCHOR = 0\n", replace: "ANCHOR = 1\n", line: 1 }];
  return [
    await planRow("plan 1,000 hunks in 10,000 lines", lines.join(""), many, 2_000),
    await planRow("plan one hunk in 10 MB", `ANCHOR = 0\n${line.repeat(165_000)}`, anchor, 2_000),
  ];
}

function parseRow(name: string, reply: string, limit: number): BenchRow {
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now();
    parseReply(reply, scope);
    return performance.now() - started;
  });
  return { name, value: median(times), unit: "ms", limit };
}

async function planRow(
  name: string,
  text: string,
  hunks: readonly { search: string; replace: string; line: number }[],
  limit: number,
): Promise<BenchRow> {
  const tree = memoryTree({ [path]: text });
  const writeScope = {
    named: new Set<string>(),
    newPaths: new Set<RepoPath>(),
    readOnly: () => undefined,
  };
  const change = { kind: "edit", path, hunks, line: 1 } as const;
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    const result = await planChanges({ changes: [change], format: "canonical" }, tree, writeScope);
    times.push(performance.now() - started);
    if (!result.ok) throw new Error(result.failure.message);
  }
  return { name, value: median(times), unit: "ms", limit };
}

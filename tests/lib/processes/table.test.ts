import { describe, expect, it } from "vitest";
import { parsePs, processTable } from "../../../src/lib/processes/table.ts";

describe("processTable", () => {
  it("holds this process with its parent, group and marker", async () => {
    const me = (await processTable()).find(({ pid }) => pid === process.pid);

    expect(me).toMatchObject({ parent: process.ppid });
    expect(me?.group).toBeGreaterThan(0);
  });
});

describe("parsePs", () => {
  it("reads the listing of macOS, marker among the environment, zombies left out", () => {
    const listing = [
      "    1     0     1 Ss   /sbin/launchd",
      "  512     1   512 Ss+  /bin/sh -c npm test HOME=/Users/joe KIT_PROCESS=00ff.12; PATH=/bin",
      "  513   512   512 R    sleep 60 (x) KIT_PROCESS=outer.1;00ff.12;",
      "  514   512   512 Z    (sleep)",
      "",
    ].join("\n");

    const entries = parsePs(listing);

    expect(entries.map(({ pid, parent, group, marker }) => [pid, parent, group, marker])).toEqual([
      [1, 0, 1, ""],
      [512, 1, 512, "00ff.12;"],
      [513, 512, 512, "outer.1;00ff.12;"],
    ]);
  });
});

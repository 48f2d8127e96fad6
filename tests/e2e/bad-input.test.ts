import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { snapshot } from "../support/repository.ts";
import {
  giveAway,
  noOtherUser,
  noSmallDisk,
  readOnlyRepository,
  repositoryOnFullDisk,
  withoutRights,
} from "./hostile-disks.ts";
import { asked, type KitOptions, machine, type Machine, scenario, task } from "./support.ts";

/** A machine on which a run cannot start, and what kit says about it. */
interface Row {
  readonly what: string;
  readonly make: (here: Machine) => KitOptions;
  readonly says: string;
  readonly next: string;
}

/** A program in front of all others on PATH. */
function program({ home, env }: Machine, name: string, script: string): KitOptions {
  const folder = join(home, "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, name), script);
  chmodSync(join(folder, name), 0o755);
  return { env: { PATH: `${folder}:${env.PATH ?? ""}` } };
}

const rows: readonly Row[] = [
  {
    what: "pi is not installed",
    make: () => ({ env: { PATH: "/usr/bin:/bin" } }),
    says: "pi is not installed",
    next: "npm install -g @earendil-works/pi-coding-agent",
  },
  {
    what: "pi is too old",
    make: (here) => program(here, "pi", "#!/bin/sh\necho 0.60.2\n"),
    says: "pi 0.60.2 is too old",
    next: "npm install -g @earendil-works/pi-coding-agent",
  },
  {
    what: "KIT_PI names nothing",
    make: () => ({ env: { KIT_PI: "/nowhere/pi" } }),
    says: "/nowhere/pi",
    next: "KIT_PI",
  },
  {
    what: "another program is called pi",
    make: (here) => program(here, "pi", "#!/bin/sh\necho 3.14159\n"),
    says: "does not say its version",
    next: "--version",
  },
];

describe("a machine that cannot carry a run", () => {
  test.for(rows)("$what: exit 5, one message with what mends it, and no trace", async (row) => {
    const here = await machine({ scenario: scenario([]) });
    const options = row.make(here);
    const before = snapshot(here.root, []);
    const told = await here.kit(["run", task, ...here.quick], options);
    const { code, stdout, stderr } = await here.kit(["run", task, "--json"], options);
    expect(told).toMatchObject({ code: 5, stdout: "" });
    expect(told.stderr).toMatch(/^kit: [^\n]+\n( *next: [^\n]+\n)?$/);
    expect(told.stderr).toContain(row.says);
    expect(told.stderr).toContain(row.next);
    expect({ code, stderr, document: JSON.parse(stdout) }).toMatchObject({
      code: 5,
      stderr: "",
      document: { error: { message: expect.stringContaining(row.says) as string } },
    });
    expect(snapshot(here.root, [])).toEqual(before);
    expect(asked(here.server)).toEqual([]);
  });
});

describe.skipIf(noOtherUser !== undefined)("a repository that may not be written", () => {
  test("ends with 5 and what mends it, before a model is asked", async () => {
    const { root, home, kit, quick, server } = await machine({
      root: readOnlyRepository(),
      scenario: scenario([]),
    });
    giveAway(home);
    const before = snapshot(root, []);
    const { code, stdout, stderr } = await kit(["run", task, ...quick], { through: withoutRights });
    expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
    expect(stderr).toMatch(/permission denied|right to write/i);
    expect(stderr).toContain("next: ");
    expect(snapshot(root, [])).toEqual(before);
    expect(asked(server)).toEqual([]);
  });
});

describe.skipIf(noSmallDisk !== undefined)("a full disk", () => {
  test("ends with 5 and what mends it, before a model is asked", async () => {
    const { root, kit, quick, server } = await machine({
      root: repositoryOnFullDisk(0),
      scenario: scenario([]),
    });
    const before = snapshot(root, [".git/kit"]);
    const { code, stdout, stderr } = await kit(["run", task, ...quick]);
    expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
    expect(stderr).toMatch(/disk/i);
    expect(stderr).toContain("next: ");
    expect(snapshot(root, [".git/kit"])).toEqual(before);
    expect(asked(server)).toEqual([]);
  });
});

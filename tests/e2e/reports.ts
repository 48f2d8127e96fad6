import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ExpectStatic, test } from "vitest";
import type { Receipt } from "../../src/runs/index.ts";
import {
  asked,
  machine,
  type Machine,
  type MachineOptions,
  type RunOptions,
  type RunResult,
} from "./support.ts";

/** A run as a report describes it, and how it ended. */
export interface Played extends RunResult {
  readonly expect: ExpectStatic;
  readonly here: Machine;
  /** `provider/model` of each request, in order. */
  readonly calls: readonly string[];
}

/** What somebody once reported of a tool of this kind: the run that showed it, and what is right. */
export interface Report {
  readonly title: string;
  readonly scene: Omit<MachineOptions, "atEnd">;
  /** Default: the quick ones of the machine. */
  readonly flags?: (here: Machine) => readonly string[];
  /** What there is on the machine before the run. */
  readonly prepare?: (here: Machine) => RunOptions | void;
  readonly holds: (played: Played) => void | Promise<void>;
}

/** Plays each report on a machine of its own, several at a time. */
export function testReports(reports: readonly Report[]): void {
  const titled = reports.map((report) => [report.title, report] as const);
  test.concurrent.for(titled)("%s", async ([, report], { expect, onTestFinished }) => {
    const here = await machine({ ...report.scene, atEnd: onTestFinished });
    const options = report.prepare?.(here) ?? {};
    const result = await here.run(report.flags?.(here) ?? here.quick, options);
    await report.holds({ ...result, here, expect, calls: asked(here.server) });
  });
}

/** Puts a pi of the user's own in front of the real one (`$PI`). */
export function wrappedPi({ home, env }: Machine, script: string): RunOptions {
  const folder = join(home, "wrapped");
  mkdirSync(folder);
  const file = join(folder, "pi");
  writeFileSync(file, `#!/bin/sh\nPI='${resolve("node_modules/.bin/pi")}'\n${script}\n`);
  chmodSync(file, 0o755);
  return { env: { PATH: `${folder}:${env.PATH ?? ""}` } };
}

/** A text of the run's record by its hash. */
export function objectOf({ runDir }: Receipt, hash: string | undefined): string {
  return readFileSync(join(runDir, "objects", hash ?? "none"), "utf8");
}

/** Everything the models were told. */
export function allPrompts({ server }: Machine): string {
  return server.requests.map(({ prompt }) => prompt).join("\n");
}

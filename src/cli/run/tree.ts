import { mkdir, rmdir } from "node:fs/promises";
import { join, relative } from "node:path";
import {
  type Emit,
  type Event,
  type Failure,
  type TestCommand,
  type Workspace,
} from "../../contracts/index.ts";
import { runTestCommand, type Sandbox, testEnvironment } from "../../gate/index.ts";
import {
  openWorktree,
  requireCommittable,
  removeOrphans,
  type Worktree,
} from "../../isolation/index.ts";
import { codeOf } from "../../lib/files.ts";
import type { Git } from "../../lib/git.ts";
import { userStateFolder } from "../../lib/user-folders.ts";
import { createLanding, type Land, openInPlace, openTestSandbox } from "../../pipeline/index.ts";
import type { Io } from "../io.ts";
import { recoverySentences } from "../recovery.ts";
import { clock } from "./models.ts";
import type { PreparedRun } from "./prepare.ts";

/** Where what the setting up says is kept. */
interface SetUpRecord {
  readonly folder: string;
  readonly emit: Emit;
}

type Note = Extract<Event, { type: "note" }>;

/** The tree a run works on: the user's, or one of its own. */
export interface OpenTree {
  readonly workspace: Workspace;
  /** The repository that it is the tree of; undefined: there is none. */
  readonly git: Git | undefined;
  /** In this tree. */
  readonly testCommands: readonly TestCommand[];
  /** Absent: the workspace is the user's tree. */
  readonly land?: Land;
  /** What was found on opening. */
  readonly notes: readonly Note[];
  /** Makes a tree of its own ready for the tests; gives what keeps it from being so. */
  setUp(record: SetUpRecord): Promise<Failure | undefined>;
  /** For `finally`: releases the lock; removes what is not the user's. */
  close(): Promise<void>;
}

/** @throws KitError where the tree cannot be had: another kit works in it, no commit, no space. */
export async function openTree(
  prepared: PreparedRun,
  id: string,
  io: Io,
  signal: AbortSignal,
): Promise<OpenTree> {
  const { project, landing } = prepared;
  const { root, git } = project;
  const place = { root, git, stateDir: project.stateFolder };
  const testCommands = prepared.testCommands.filter(({ trusted }) => trusted);
  if (landing === undefined || git === undefined) {
    const sandbox = await sandboxIn(root, prepared, io);
    try {
      const held = await openInPlace(place, id, sandbox);
      const recovered = await recoverySentences(held.recovery, place);
      return {
        workspace: held.workspace,
        git,
        testCommands,
        notes: [...sandboxNotes(sandbox, prepared), ...recovered.map(warning)],
        setUp: () => Promise.resolve(undefined),
        async close() {
          await held.workspace.close();
          await sandbox.close();
        },
      };
    } catch (error) {
      await sandbox.close();
      throw error;
    }
  }
  if (landing.to !== "tree") {
    await requireCommittable(git, landing.to === "branch" ? landing.branch : undefined);
  }
  const folder = join(userStateFolder(io.env), "worktrees");
  const orphans = await removeOrphans(git, folder);
  const { worktreeLink: link, worktreeCopy: copy } = project.settings;
  const request = { git, folder, id, link: link.value, copy: copy.value };
  const worktree = await openWorktree(request);
  let sandbox: Sandbox | undefined;
  try {
    const confined = await sandboxIn(worktree.root, prepared, io);
    sandbox = confined;
    const own = { root: worktree.root, git: worktree.git, stateDir: worktree.git.stateFolder };
    const { workspace } = await openInPlace(own, id, confined);
    const cwdIn = (cwd: string): string => join(worktree.root, relative(root, cwd));
    return {
      workspace,
      git: worktree.git,
      testCommands: testCommands.map((command) => ({ ...command, cwd: cwdIn(command.cwd) })),
      land: inRace(prepared.claim, createLanding({ place, runId: id, landing, clock, signal })),
      notes: [
        ...sandboxNotes(confined, prepared),
        ...worktreeNotes(worktree, orphans),
        ...raceNotes(prepared),
      ],
      setUp: (record) => setUp(prepared, workspace, io, signal, record),
      async close() {
        await workspace.close();
        await confined.close();
        await worktree.remove();
      },
    };
  } catch (error) {
    await sandbox?.close();
    await worktree.remove();
    throw error;
  }
}

/** Of runs that race only one lands: the first to make the folder that they all know. */
function inRace(claim: string | undefined, land: Land): Land {
  if (claim === undefined) return land;
  return async (plan, pack) => {
    try {
      await mkdir(claim);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      const message = "another candidate of the race was first";
      return { ok: false, failure: { kind: "interrupted", message } };
    }
    const result = await land(plan, pack);
    // Where it cannot land, one that comes later may.
    if (!result.ok) await rmdir(claim);
    return result;
  };
}

function raceNotes({ claim }: PreparedRun): Note[] {
  if (claim === undefined) return [];
  const message = "One of a race: the first green change lands, the other runs are ended";
  return [{ type: "note", level: "info", message }];
}

/** The sandbox for the tests of a tree; where nothing runs, `on` asks for nothing. */
function sandboxIn(tree: string, prepared: PreparedRun, io: Io): Promise<Sandbox> {
  const { root, git, settings } = prepared.project;
  const runs = prepared.testCommands.some(({ trusted }) => trusted);
  const off = { ...settings.sandbox, value: "off" as const };
  return openTestSandbox({
    root: tree,
    hasGit: git !== undefined,
    settings: runs ? settings : { ...settings, sandbox: off },
    environment: io.env,
    ...(tree !== root && {
      // What the isolated tree links to is the user's, as writable as it is in place.
      linked: { root, folders: settings.worktreeLink.value.map((path) => join(root, path)) },
    }),
  });
}

/** Said once, and only where the user did not say so: tests run what a model wrote. */
function sandboxNotes(sandbox: Sandbox, { project }: PreparedRun): Note[] {
  if (sandbox.confined || project.settings.sandbox.value === "off") return [];
  return [warning(`Test commands run without a sandbox, with your rights: ${sandbox.reason}`)];
}

function worktreeNotes({ root, missing }: Worktree, orphans: readonly string[]): Note[] {
  const names = missing.map(({ path }) => path);
  const info = [
    `Isolated: works in ${root}`,
    ...orphans.map((id) => `The tree of ${id}, which is dead, was removed`),
  ];
  return [
    ...info.map((message): Note => ({ type: "note", level: "info", message })),
    ...(names.length === 0
      ? []
      : [
          warning(
            `Not brought into the isolated tree, as git ignores them: ${names.join(", ")}. Where tests need them, name them under worktree.link, worktree.copy or worktree.setup in kit.yaml`,
          ),
        ]),
  ];
}

function warning(message: string): Note {
  return { type: "note", level: "warning", message };
}

async function setUp(
  { project, options, limits }: PreparedRun,
  workspace: Workspace,
  io: Io,
  signal: AbortSignal,
  record: SetUpRecord,
): Promise<Failure | undefined> {
  const { value: lines, file } = project.settings.worktreeSetup;
  const { env } = testEnvironment(io.env, options.passEnvironment);
  for (const [index, shell] of lines.entries()) {
    await record.emit({ type: "note", level: "info", message: `Setting up: ${shell}` });
    const outputFile = join(record.folder, `setup-${index + 1}.txt`);
    // Not confined: these are the user's own lines, and installing needs the network.
    const { ended, output } = await runTestCommand(
      {
        command: { shell },
        cwd: workspace.root,
        source: { kind: "settings", file: file ?? "" },
        trusted: true,
      },
      { env, timeoutMs: limits.gateTimeoutMs, signal, outputFile },
    );
    if (ended.by === "exit" && ended.code === 0) continue;
    if (signal.aborted) return { kind: "interrupted", message: "interrupted" };
    const last = output.trim().split("\n").at(-1) ?? "";
    const message = `worktree.setup failed: ${shell}: ${last}`;
    return { kind: "environment", message, mend: `See ${outputFile}` };
  }
  return undefined;
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../../adapters/index.ts";
import type { TestCommand } from "../../contracts/index.ts";
import { commandText } from "../../gate/index.ts";
import { findOrphans, removeOrphans } from "../../isolation/index.ts";
import { userStateFolder } from "../../lib/user-folders.ts";
import { recoverTree } from "../../pipeline/index.ts";
import { problemLine } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Project } from "../project.ts";
import { recoverySentences } from "../recovery.ts";
import { findCommands } from "../test-commands.ts";
import { type Check, checksOf } from "./check.ts";

const { ok, warning, problem } = checksOf("repository");

/** The repository, its files of configuration, its trust, its tests, and what dead runs left. */
export async function checkRepository(project: Project, io: Io): Promise<readonly Check[]> {
  return [
    checkGitOf(project),
    ...fileChecks(project),
    checkTrust(project),
    ...(await testChecks(project, io)),
    ...(await leftoverChecks(project, io)),
  ];
}

function checkGitOf({ root, git, gitFault }: Project): Check {
  const name = "repository";
  if (git !== undefined) return ok(name, root);
  if (gitFault === undefined) return ok(name, `${root}, a folder without git`);
  return warning(name, gitFault, "git status says what is wrong");
}

function fileChecks({ problems, agents, sources }: Project): Check[] {
  if (problems.length === 0) return [ok("files", `${sources.length} read, nothing wrong in them`)];
  return problems.map((each) => {
    const said = problemLine(each);
    const { file, line } = each.place;
    const mend = `Mend ${file}${line === undefined ? "" : `:${line}`}`;
    // A bad agent file stops only the run that would use it, which the agents' lines say.
    const isFatal = each.severity === "error" && !agents.problems.includes(each);
    return isFatal ? problem("files", said, mend, 2) : warning("files", said, mend);
  });
}

function checkTrust({ layer, projectLayer }: Project): Check {
  const name = "trust";
  if (projectLayer === undefined) return ok(name, "the repository brings no configuration");
  const { state } = layer.trust;
  if (state === "trusted") return ok(name, projectLayer.note);
  if (state === "none") return ok(name, projectLayer.note);
  return warning(name, projectLayer.note, "Look at it, then: kit trust");
}

/** Looks for the commands and their programs; runs nothing. */
async function testChecks(project: Project, io: Io): Promise<Check[]> {
  const { testCommands, warnings } = await findCommands(project, { flags: [] }, io);
  const said = warnings.filter((each) => each !== project.gitFault);
  if (testCommands.length === 0) {
    const mend = 'Name one: kit run --test "npm test", or test_commands in kit.yaml';
    return [warning("tests", "no test command is known", mend)];
  }
  return [
    ...(await Promise.all(testCommands.map((command) => testCheck(command, io)))),
    ...said.map((each) => warning("tests", each, "kit trust")),
  ];
}

async function testCheck(test: TestCommand, { env }: Io): Promise<Check> {
  const text = commandText(test);
  if (!test.trusted) return warning("tests", `${text}: shown, not run`, "kit trust");
  const [program] = "argv" in test.command ? test.command.argv : [];
  const isThere = program === undefined || (await findProgram(program, env)) !== undefined;
  if (isThere) return ok("tests", `${text} (kit test runs it)`);
  return problem("tests", `${text}: there is no ${program}`, `Install ${program}`, 5);
}

/** What dead runs left: a lock, an unfinished change, worktrees. */
async function leftoverChecks({ git, stateFolder }: Project, { env }: Io): Promise<Check[]> {
  const transactions = join(stateFolder, "transactions");
  const lock = join(stateFolder, "lock.holder");
  const orphans = git === undefined ? [] : await findOrphans(git, worktreesFolder(env));
  const isHeld = existsSync(lock);
  const left = [
    ...(isHeld
      ? [warning("runs", `${lock} is there: a run is under way, or was killed`, "kit doctor --fix")]
      : []),
    ...(orphans.length > 0
      ? [warning("worktrees", `left by dead runs: ${orphans.join(", ")}`, "kit doctor --fix")]
      : []),
  ];
  if (left.length > 0) return left;
  return [ok("runs", existsSync(transactions) ? "none unfinished" : "none under way")];
}

/**
 * Puts right what dead runs left: takes unfinished changes back, removes their worktrees.
 * @returns what was done, one sentence each
 */
export async function mendRepository(
  { root, git, stateFolder }: Project,
  { env }: Io,
): Promise<readonly string[]> {
  const place = { root, git, stateDir: stateFolder };
  const told = await recoverySentences(await recoverTree(place), place);
  const removed = git === undefined ? [] : await removeOrphans(git, worktreesFolder(env));
  return [...told, ...removed.map((id) => `The worktree of ${id} was removed`)];
}

function worktreesFolder(env: Io["env"]): string {
  return join(userStateFolder(env), "worktrees");
}

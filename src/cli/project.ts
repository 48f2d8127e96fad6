import { realpathSync, statSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { type LoadedAgents, loadAgents } from "../agents/index.ts";
import {
  configLayers,
  describeProjectLayer,
  loadSettings,
  overrideSettings,
  type ProjectLayerReport,
  packageRoot,
} from "../config/index.ts";
import {
  type ConfigSource,
  KitError,
  type LayerFolder,
  type Problem,
  type Registry,
  type Settings,
  type Sourced,
} from "../contracts/index.ts";
import { type Git, GitError, openGit, stateFolder, whyNoGit } from "../lib/git.ts";
import { loadRegistry, loadTaskRules, type LoadedTaskRules } from "../routing/index.ts";
import type { Io } from "./io.ts";
import { layerFiles, openLayer, type OpenLayer } from "./layer.ts";

/** What a command says about the repository and the machine it works on. */
export interface ProjectRequest {
  /** `--repo`; the folder kit was started in when absent. */
  readonly repo?: string;
  /** `--model BACKEND=PROVIDER/ID[:THINKING]`, as given. */
  readonly model?: readonly string[];
  /** Settings that flags give; `undefined` changes nothing. */
  readonly settings?: Parameters<typeof overrideSettings>[1];
}

/** The repository a command works on. */
export interface OpenRepository {
  /** The git top level, or the folder given; absolute, links resolved. */
  readonly root: string;
  /** The folder kit was started in, or the one given: test commands run here. */
  readonly folder: string;
  readonly git: Git | undefined;
  /** Why there is no git although there is a `.git`, one sentence. */
  readonly gitFault?: string;
}

/** A repository with the configuration that applies to it. */
export interface Project extends OpenRepository {
  /** Lock, journal and pre-images: inside git's folder, `.kit` where there is no git. */
  readonly stateFolder: string;
  /** `.kit/runs`; need not exist. */
  readonly runsFolder: string;
  readonly layers: readonly LayerFolder[];
  readonly settings: Settings;
  readonly registry: Registry;
  readonly agents: LoadedAgents;
  /** Which capability a task asks for, by its words. */
  readonly taskRules: LoadedTaskRules;
  readonly layer: OpenLayer;
  /** What `.kit` holds and whether it is used; absent when it holds nothing. */
  readonly projectLayer: ProjectLayerReport | undefined;
  /** Test commands that `.kit/kit.yaml` names, trusted or not. */
  readonly projectCommands: Sourced<readonly string[]> | undefined;
  readonly sources: readonly ConfigSource[];
  /** Of all files; errors mean that no run may start. */
  readonly problems: readonly Problem[];
}

/**
 * Finds the repository alone, for commands that need no configuration.
 * @throws KitError `usage` for a folder that is none or git's own, `environment` where git
 * refuses it
 */
export async function openRepository(repo: string | undefined, io: Io): Promise<OpenRepository> {
  const folder = folderOf(repo, io.cwd);
  const git = await gitOf(folder);
  const fault = git === undefined ? await whyNoGit(folder) : undefined;
  return {
    root: git?.root ?? folder,
    folder,
    git,
    ...(fault !== undefined && { gitFault: fault }),
  };
}

/**
 * Finds the repository and loads settings, registry and agents of all layers. Starts nothing but
 * git and writes nothing.
 * @throws KitError `usage` for a `--repo` that is no folder or a wrong `--model`, `environment`
 * where git refuses the repository. What is wrong in files is in `problems`, never thrown.
 */
export async function openProject(request: ProjectRequest, io: Io): Promise<Project> {
  const repository = await openRepository(request.repo, io);
  const { root, git } = repository;
  const layer = await openLayer(root, io);
  const layers = configLayers({
    packageRoot: packageRoot(import.meta.url),
    repositoryRoot: root,
    env: io.env,
    project: layerFiles(layer),
  });
  const [registry, loadedSettings] = await Promise.all([
    loadRegistry({ layers, modelFlags: request.model ?? [] }),
    loadSettings({ layers }),
  ]);
  const [agents, taskRules] = await Promise.all([
    loadAgents({ layers, registry }),
    loadTaskRules({ layers, registry }),
  ]);
  return {
    ...repository,
    stateFolder: await stateFolder(git, root),
    runsFolder: join(root, ".kit", "runs"),
    layers,
    settings: overrideSettings(loadedSettings.settings, request.settings ?? {}),
    registry,
    agents,
    taskRules,
    layer,
    projectLayer: describeProjectLayer(layer.content, layer.trust),
    projectCommands: loadedSettings.projectCommands,
    sources: [
      ...registry.sources,
      ...agents.sources,
      ...taskRules.sources,
      ...loadedSettings.sources,
    ],
    problems: [
      ...registry.problems,
      ...agents.problems,
      ...taskRules.problems,
      ...loadedSettings.problems,
    ],
  };
}

/**
 * A bad agent file never stops a run that another agent plays: `findAgent` looks at the file of
 * the one that does.
 * @throws KitError `configuration` with every problem when registry or settings have an error.
 */
export function requireSound({ problems, agents }: Pick<Project, "problems" | "agents">): void {
  const others = problems.filter((problem) => !agents.problems.includes(problem));
  if (!hasErrors(others)) return;
  throw new KitError("configuration", "The configuration has errors.", {
    next: "Mend the files named above",
    problems,
  });
}

/** Whether a command that only shows configuration ends with 2. */
export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === "error");
}

function folderOf(repo: string | undefined, cwd: string): string {
  const folder = resolve(cwd, repo ?? ".");
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) {
    return realpathSync(folder);
  }
  throw new KitError("usage", `There is no folder ${folder}.`, {
    next: "Give the folder of a repository: --repo FOLDER",
  });
}

async function gitOf(folder: string): Promise<Git | undefined> {
  try {
    const git = await openGit(folder);
    // Without a git program, or in a damaged repository, the name alone tells.
    if (git === undefined && folder.split(sep).includes(".git")) throw noWorkingTree(folder);
    return git;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.code === "no_working_tree") throw noWorkingTree(folder, error);
    throw new KitError("environment", error.message, {
      cause: error,
      ...(error.code === "dubious_ownership" && {
        next: `Allow it, if you trust it: git config --global --add safe.directory ${folder}`,
      }),
    });
  }
}

/** What kit would write there are git's own files: hooks, settings. */
function noWorkingTree(folder: string, cause?: GitError): KitError {
  return new KitError("usage", `${folder} is git's own folder, or in a bare repository.`, {
    cause,
    next: "Run kit in a working tree, or name one: --repo FOLDER",
  });
}

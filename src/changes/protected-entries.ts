/** Files and folders that make other programs run something, wherever they stand in the tree. */
interface ProtectedEntry {
  /** One or more segments, lower case. */
  readonly entry: string;
  readonly because: string;
}

const forge = "the forge runs it";
const hooks = "git runs hooks from it";
const hookRunner = "git hooks run what it names";
const editor = "the editor runs tasks and settings from it";
const agent = "an agent takes hooks, tools and permissions from it";
const mise = "mise runs it when a shell enters the folder";
const yarn = "yarn takes registries and programs from it";

/** Entries by reason; those of the first six lines are promised (docs/applying.md). */
const groups: readonly (readonly [because: string, entries: string])[] = [
  [forge, ".github/workflows"],
  [hooks, ".husky .githooks .git-hooks"],
  ["npm takes registries, tokens and scripts from it", ".npmrc"],
  ["direnv runs it when a shell enters the folder", ".envrc"],
  [editor, ".vscode"],
  // Neighbours of the above: another program, the same effect.
  [forge, ".github/actions .gitlab-ci.yml .circleci .gitea/workflows .forgejo/workflows"],
  [forge, ".gitlab/ci .woodpecker .woodpecker.yml .woodpecker.yaml .buildkite .travis.yml"],
  [forge, ".cirrus.yml .drone.yml azure-pipelines.yml bitbucket-pipelines.yml jenkinsfile"],
  [hooks, ".lefthook .lefthook-local"],
  [hookRunner, ".pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml"],
  [hookRunner, ".overcommit.yml .huskyrc .huskyrc.json .huskyrc.js .simple-git-hooks.json"],
  [hookRunner, ".simple-git-hooks.js .simple-git-hooks.cjs simple-git-hooks.js"],
  [hookRunner, everyEnding("lefthook .lefthook lefthook-local .lefthook-local")],
  [editor, ".idea .zed .fleet .nvim.lua .nvimrc .exrc .dir-locals.el"],
  ["the editor builds and runs it", ".devcontainer .devcontainer.json .gitpod.yml"],
  [agent, ".claude/settings.json .claude/settings.local.json .claude/hooks .mcp.json"],
  [agent, ".pi .cursor .codex .gemini .qwen .windsurf .continue .opencode .factory .goose"],
  [agent, "opencode.json opencode.jsonc .aider.conf.yml .roo/mcp.json"],
  [mise, "mise.toml .mise.toml mise.local.toml .mise.local.toml .mise .config/mise"],
  [mise, ".config/mise.toml"],
  ["git fetches and updates submodules by it", ".gitmodules"],
  [yarn, ".yarnrc .yarnrc.yml"],
  ["pnpm runs it", ".pnpmfile.cjs .pnpmfile.mjs"],
];

/** lefthook's formats of configuration. */
function everyEnding(names: string): string {
  const endings = ["yml", "yaml", "toml", "json", "jsonc"];
  return names
    .split(" ")
    .flatMap((name) => endings.map((ending) => `${name}.${ending}`))
    .join(" ");
}

/** Written only when the user names the path. */
export const protectedEntries: readonly ProtectedEntry[] = groups.flatMap(([because, entries]) =>
  entries.split(" ").map((entry) => ({ entry, because })),
);

import { homeFolder } from "../../lib/home-folder.ts";
import { isSecretName, redact } from "../../lib/redaction.ts";

/** The environment test commands get, and the names (never values) that were kept from them. */
export interface TestEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** Credentials by name or by value, sorted. */
  readonly withheld: readonly string[];
}

/** Variables that make a test run end by itself: no question, no pager, no watch mode, no colour. */
const quietVariables: Readonly<Record<string, string>> = {
  CI: "1",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  GIT_EDITOR: "true",
  EDITOR: "true",
  VISUAL: "true",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
  npm_config_yes: "true",
  npm_config_fund: "false",
  npm_config_audit: "false",
  npm_config_update_notifier: "false",
  PIP_NO_INPUT: "1",
  // Python takes a stale .pyc for a source of the same size written in the same second.
  PYTHONDONTWRITEBYTECODE: "1",
};

/**
 * Variables of whoever started kit that would change what the tests do: colour (C09 of the
 * public reports), another repository (`GIT_DIR` from a hook), an outer test runner or build.
 */
const foreign: readonly RegExp[] = [
  /^(PWD|OLDPWD|_)$/,
  /^(FORCE_COLOR|CLICOLOR_FORCE|COLORTERM|LESS|LESSOPEN|LESSCLOSE)$/,
  /^GIT_(?!(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$)/,
  /^(NODE_TEST_CONTEXT|NODE_UNIQUE_ID|NODE_CHANNEL_FD|NODE_V8_COVERAGE|JEST_WORKER_ID|VITEST.*|PYTEST_CURRENT_TEST)$/,
  /^(MAKEFLAGS|MFLAGS|MAKELEVEL)$/,
  /^(npm_(package|lifecycle)_.*|npm_command|npm_execpath|npm_node_execpath|npm_config_(local_prefix|user_agent)|INIT_CWD)$/,
];

/** Ways to credentials that `isSecretName` does not know: a key agent, a Kerberos ticket. */
const doors = /^(?:GPG_AGENT_INFO|KRB5CCNAME)$/;

/** A password in an address, also one that reads like an example: here nothing is shown by mistake. */
const passwordInUrl = /[a-z][a-z0-9+.-]*:\/\/[^\s/?#@:]*:[^\s/?#@]+@/i;

/** Configuration handed to git by a caller; `KEY` in the name is no credential. */
const gitConfiguration = /^GIT_CONFIG(?:_.*)?$/;

/** Nothing starts without these, whatever their values look like. */
const needed = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TMPDIR|TERM|TZ)$/;

/**
 * The environment for test commands: the caller's, without credentials (by name, and by value:
 * key shapes and URLs with a password), without what redirects, with `quietVariables` set.
 * `NODE_OPTIONS` stays: test suites need its memory limits.
 * @param pass names that the user lets through all the same (`pass_environment`).
 */
export function testEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  pass: readonly string[],
): TestEnvironment {
  const kept: Record<string, string> = {};
  const withheld: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (pass.includes(name) || needed.test(name)) kept[name] = value;
    else if (gitConfiguration.test(name)) continue;
    else if (doors.test(name) || isSecretName(name) || isCredential(value)) withheld.push(name);
    else if (!foreign.some((pattern) => pattern.test(name))) kept[name] = value;
  }
  const quiet = Object.entries(quietVariables).filter(([name]) => !pass.includes(name));
  // An empty or relative HOME would let tools keep their caches in the repository.
  const home = homeFolder(env);
  return { env: { ...kept, HOME: home, ...Object.fromEntries(quiet) }, withheld: withheld.sort() };
}

function isCredential(value: string): boolean {
  return passwordInUrl.test(value) || redact(value) !== value;
}

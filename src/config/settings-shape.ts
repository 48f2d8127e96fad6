import * as z from "zod/mini";
import { parseRepoPath, sandboxModes, type Settings } from "../contracts/index.ts";
import { durationMs, longestMs } from "./durations.ts";

const oneLine = z.string("text").check(z.regex(/^(?!\s*$)[^\r\n\0]+$/, "text on one line"));
const maybe = <S extends z.ZodMiniType>(shape: S): z.ZodMiniOptional<z.ZodMiniNullable<S>> =>
  z.optional(z.nullable(shape));

const durationAllowed = "a duration like 60s, 20m or 30 min, or a number of seconds, up to 24h";
const duration = z
  .union([z.string(), z.number()], durationAllowed)
  .check(z.refine((value) => isDuration(value, 1), durationAllowed));
const durationOrZero = z
  .union([z.string(), z.number()], durationAllowed)
  .check(z.refine((value) => isDuration(value, 0), durationAllowed));
const ageAllowed = "an age like 30d, 2w or 12h";
const age = z
  .string(ageAllowed)
  .check(z.refine((value) => (durationMs(value) ?? 0) >= 60_000, ageAllowed));
const count = z.int("a whole number from 1 to 1000").check(z.minimum(1), z.maximum(1000));

function isDuration(value: string | number, leastMs: number): boolean {
  const ms = durationMs(value);
  return ms !== undefined && ms >= leastMs && ms <= longestMs;
}

const routingOrders = ["fixed", "suggested"] as const;
const repairs = ["last", "progress", "off"] as const;
const folder = z
  .string("an absolute folder, or one of the home: ~/.gradle")
  .check(z.regex(/^(?:\/|~\/.)[^\0\r\n]*$/, "an absolute folder, or one of the home: ~/.gradle"));

/** Of the tree: what `git ls-files` prints, without the last slash. */
const entry = z
  .string("a name or a path inside the repository")
  .check(z.refine((path) => parseRepoPath(path).ok, "a name or a path inside the repository"));
const onOff = ["on", "off"] as const;

/** `kit.yaml` of one layer. */
export const settingsShape = z.strictObject({
  $schema: z.optional(z.string("text")),
  version: z.optional(z.literal(1, "1: this kit reads no other version")),
  language: maybe(oneLine.check(z.maxLength(60))),
  test_commands: maybe(
    z.union([oneLine, z.array(oneLine)], "a command on one line, or a list of such commands"),
  ),
  gate: maybe(
    z.strictObject(
      {
        baseline_wait: maybe(durationOrZero),
        timeout: maybe(duration),
        idle_timeout: maybe(duration),
        network: maybe(z.boolean("true or false")),
        writable: maybe(z.array(folder, "a list of folders")),
        pass_environment: maybe(
          z.array(
            z
              .string("the name of an environment variable")
              .check(z.regex(/^[A-Za-z_]\w*$/, "the name of an environment variable")),
            "a list of names of environment variables",
          ),
        ),
      },
      "a map: baseline_wait, timeout, idle_timeout, network, writable, pass_environment",
    ),
  ),
  sandbox: maybe(z.enum(sandboxModes, `one of ${sandboxModes.join(", ")}`)),
  repairs: maybe(z.enum(repairs, `one of ${repairs.join(", ")}`)),
  review: maybe(z.enum(onOff, `one of ${onOff.join(", ")}`)),
  worktree: maybe(
    z.strictObject(
      {
        link: maybe(z.array(entry, "a list of names or paths")),
        copy: maybe(z.array(entry, "a list of names or paths")),
        setup: maybe(z.array(oneLine, "a list of commands")),
      },
      "a map: link, copy, setup",
    ),
  ),
  routing: maybe(
    z.strictObject(
      { order: maybe(z.enum(routingOrders, `one of ${routingOrders.join(", ")}`)) },
      "a map: order",
    ),
  ),
  max_attempts: maybe(count),
  max_calls: maybe(count),
  budget: maybe(
    z.strictObject(
      {
        usd: maybe(z.number("an amount in USD").check(z.positive("an amount above 0"))),
        tokens: maybe(z.int("a whole number of tokens, from 1").check(z.minimum(1))),
      },
      "a map: usd, tokens",
    ),
  ),
  step_timeout: maybe(duration),
  call: maybe(
    z.strictObject(
      { idle_timeout: maybe(duration), timeout: maybe(duration) },
      "a map: idle_timeout, timeout",
    ),
  ),
  edit: maybe(
    z.strictObject(
      { whole_file_lines: maybe(z.int("a whole number of lines, from 0").check(z.minimum(0))) },
      "a map: whole_file_lines",
    ),
  ),
  runs: maybe(
    z.strictObject(
      {
        keep: maybe(z.int("a whole number from 1").check(z.minimum(1), z.maximum(1_000_000))),
        max_age: maybe(age),
      },
      "a map: keep, max_age",
    ),
  ),
  adapters: maybe(
    z.strictObject(
      { pi: maybe(z.strictObject({ program: maybe(oneLine) }, "a map: program")) },
      "a map: pi",
    ),
  ),
});

export type SettingsContent = z.infer<typeof settingsShape>;

/** One setting: where it stands in `kit.yaml`, its built-in value, and how it is read. */
export interface SettingRow<K extends keyof Settings> {
  readonly path: readonly string[];
  readonly builtIn: Settings[K]["value"];
  readonly read: (content: SettingsContent) => Settings[K]["value"] | undefined;
}

const ms = (value: string | number | null | undefined): number | undefined =>
  value === null || value === undefined ? undefined : durationMs(value);
const given = <T>(value: T | null | undefined): T | undefined => value ?? undefined;

/** Every setting there is; `docs/settings.md` says the same for people, a test compares them. */
export const settingRows: { readonly [K in keyof Settings]: SettingRow<K> } = {
  language: {
    path: ["language"],
    builtIn: "English",
    read: (content) => given(content.language),
  },
  testCommands: {
    path: ["test_commands"],
    builtIn: [],
    read: ({ test_commands: commands }) =>
      typeof commands === "string" ? [commands] : given(commands),
  },
  baselineWaitMs: {
    path: ["gate", "baseline_wait"],
    builtIn: 60_000,
    read: (content) => ms(content.gate?.baseline_wait),
  },
  gateTimeoutMs: {
    path: ["gate", "timeout"],
    builtIn: 20 * 60_000,
    read: (content) => ms(content.gate?.timeout),
  },
  gateIdleTimeoutMs: {
    path: ["gate", "idle_timeout"],
    builtIn: undefined,
    read: (content) => ms(content.gate?.idle_timeout),
  },
  sandbox: { path: ["sandbox"], builtIn: "auto", read: (content) => given(content.sandbox) },
  testNetwork: {
    path: ["gate", "network"],
    builtIn: false,
    read: (content) => given(content.gate?.network),
  },
  testWritable: {
    path: ["gate", "writable"],
    builtIn: [],
    read: (content) => given(content.gate?.writable),
  },
  passEnvironment: {
    path: ["gate", "pass_environment"],
    builtIn: [],
    read: (content) => given(content.gate?.pass_environment),
  },
  repairs: { path: ["repairs"], builtIn: "last", read: (content) => given(content.repairs) },
  review: { path: ["review"], builtIn: "off", read: (content) => given(content.review) },
  worktreeLink: {
    path: ["worktree", "link"],
    builtIn: ["node_modules", ".venv"],
    read: (content) => given(content.worktree?.link),
  },
  worktreeCopy: {
    path: ["worktree", "copy"],
    builtIn: [],
    read: (content) => given(content.worktree?.copy),
  },
  worktreeSetup: {
    path: ["worktree", "setup"],
    builtIn: [],
    read: (content) => given(content.worktree?.setup),
  },
  routingOrder: {
    path: ["routing", "order"],
    builtIn: "fixed",
    read: (content) => given(content.routing?.order),
  },
  maxAttempts: {
    path: ["max_attempts"],
    builtIn: 3,
    read: (content) => given(content.max_attempts),
  },
  maxCalls: { path: ["max_calls"], builtIn: 12, read: (content) => given(content.max_calls) },
  budgetUsd: {
    path: ["budget", "usd"],
    builtIn: undefined,
    read: (content) => given(content.budget?.usd),
  },
  budgetTokens: {
    path: ["budget", "tokens"],
    builtIn: undefined,
    read: (content) => given(content.budget?.tokens),
  },
  stepTimeoutMs: {
    path: ["step_timeout"],
    builtIn: undefined,
    read: (content) => ms(content.step_timeout),
  },
  callIdleTimeoutMs: {
    path: ["call", "idle_timeout"],
    builtIn: 300_000,
    read: (content) => ms(content.call?.idle_timeout),
  },
  callTimeoutMs: {
    path: ["call", "timeout"],
    builtIn: 30 * 60_000,
    read: (content) => ms(content.call?.timeout),
  },
  wholeFileLines: {
    path: ["edit", "whole_file_lines"],
    builtIn: 200,
    read: (content) => given(content.edit?.whole_file_lines),
  },
  runsKeep: {
    path: ["runs", "keep"],
    builtIn: undefined,
    read: (content) => given(content.runs?.keep),
  },
  runsMaxAgeMs: {
    path: ["runs", "max_age"],
    builtIn: undefined,
    read: (content) => ms(content.runs?.max_age),
  },
  piProgram: {
    path: ["adapters", "pi", "program"],
    builtIn: undefined,
    read: (content) => given(content.adapters?.pi?.program),
  },
};

/**
 * What a trusted project may say of a setting: `set` it; `lower` it, where it bounds what is
 * spent; `offer` a value where the user gives none. A setting that is not here is the user's
 * alone, so a new one has to be let in.
 */
export const projectMay: { readonly [K in keyof Settings]?: "set" | "lower" | "offer" } = {
  language: "set",
  testCommands: "offer",
  baselineWaitMs: "set",
  gateTimeoutMs: "set",
  repairs: "set",
  maxAttempts: "lower",
  maxCalls: "lower",
  callIdleTimeoutMs: "set",
  callTimeoutMs: "set",
  wholeFileLines: "set",
};

/** Why some of the others are refused (DESIGN); a path stands for all below it. */
export const projectLimits: readonly { readonly path: readonly string[]; readonly why: string }[] =
  [
    { path: ["gate", "pass_environment"], why: "a project may not pass environment through" },
    { path: ["worktree", "setup"], why: "a project may not name programs" },
    { path: ["review"], why: "a project may not decide whether changes are reviewed" },
    { path: ["sandbox"], why: "a project may not say whether its tests are confined" },
    { path: ["gate", "network"], why: "a project may not open the network to its tests" },
    { path: ["gate", "writable"], why: "a project may not widen what its tests may write" },
    { path: ["adapters"], why: "a project may not name programs" },
  ];

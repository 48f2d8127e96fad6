import { type Command, InvalidArgumentError, Option } from "commander";
import { durationMs } from "../config/index.ts";
import { sandboxModes } from "../contracts/index.ts";

/** `--repo FOLDER`, for every command that works on a repository. */
export function addRepoOption(command: Command): Command {
  return command.option(
    "--repo <folder>",
    "the repository (default: the folder kit is started in)",
  );
}

/** `--model BACKEND=PROVIDER/ID[:THINKING]`, repeatable. */
export function addModelOption(command: Command): Command {
  const option = new Option("--model <binding>", "bind BACKEND=PROVIDER/ID[:THINKING] for once");
  return command.addOption(repeatable(option));
}

/** `--sandbox MODE`, for every command that runs tests; the setting says it for good. */
export function sandboxOption(): Option {
  return new Option(
    "--sandbox <mode>",
    "confines test commands: auto (where it works), on (or not at all), off",
  ).choices(sandboxModes);
}

/** Lets an option be given more than once; its values come as a list, absent when never given. */
export function repeatable(option: Option): Option {
  return option.argParser((value: string, before: readonly string[] | undefined) => {
    return [...(before ?? []), value];
  });
}

/** Reads a repeatable option that is a line for the shell. @throws what commander tells as a usage error */
export function commandLine(value: string, before: readonly string[] | undefined): string[] {
  if (value.trim() === "") throw new InvalidArgumentError("a command is needed");
  return [...(before ?? []), value];
}

/** Reads an option that is a whole number of at least one. @throws what commander tells as a usage error */
export function wholeNumber(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new InvalidArgumentError("a whole number from 1 is needed");
  return Number(value);
}

/** Reads an option that is an amount in USD. @throws what commander tells as a usage error */
export function dollars(value: string): number {
  const amount = /^\$?(\d{1,9}(?:\.\d+)?|\.\d+)$/.exec(value)?.[1];
  if (amount === undefined || Number(amount) <= 0)
    throw new InvalidArgumentError("an amount in dollars, like 0.50, is needed");
  return Number(amount);
}

/** Reads an option that is a number of tokens: `50000`, `50k`, `1.5M`. @throws what commander tells as a usage error */
export function tokenCount(value: string): number {
  const [, amount, unit = ""] = /^(\d{1,12}(?:\.\d+)?)([kKmM]?)$/.exec(value) ?? [];
  const tokens = Math.round(Number(amount) * ({ k: 1_000, m: 1_000_000 }[unit.toLowerCase()] ?? 1));
  if (amount === undefined || tokens < 1)
    throw new InvalidArgumentError("a number of tokens, like 50000 or 50k, is needed");
  return tokens;
}

const longestMs = 24 * 3_600_000;

/** Reads an option that is a time, in milliseconds. @throws what commander tells as a usage error */
export function duration(value: string): number {
  const ms = durationMs(value);
  if (ms === undefined || ms <= 0 || ms > longestMs) {
    throw new InvalidArgumentError("a time like 90s, 20m or 2h, up to 24h, is needed");
  }
  return ms;
}

/** Reads an option that is a file descriptor for output. @throws what commander tells as a usage error */
export function fileDescriptor(value: string): number {
  if (!/^\d{1,4}$/.test(value) || value === "0") {
    throw new InvalidArgumentError("a file descriptor is needed: 1 is stdout, 3 and up are yours");
  }
  return Number(value);
}

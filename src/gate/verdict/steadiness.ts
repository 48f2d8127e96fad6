import type { CommandResult, GateResult, TestCase } from "../../contracts/index.ts";
import { isGreen } from "./ended.ts";

/** What gave different results on one tree: blamed on nobody, and evidence of nothing. */
export interface Unsteady {
  /** `testKey` of each test. */
  readonly tests: ReadonlySet<string>;
  /** Places of commands of which no test explains the difference. */
  readonly commands: ReadonlySet<number>;
}

/** Nothing differed, or nothing was run twice. */
export const steady: Unsteady = { tests: new Set(), commands: new Set() };

/** One test among those of all commands; `command` is the place of its command. */
export function testKey(command: number, id: string): string {
  return `${command} ${id}`;
}

/** What differs between two runs of the same commands on the same tree. */
export function unsteadyBetween(first: GateResult, second: GateResult): Unsteady {
  const tests = new Set<string>();
  const commands = new Set<number>();
  for (const [place, one] of first.commands.entries()) {
    const other = second.commands[place];
    if (other === undefined) continue;
    const ids = [...turned(one, other), ...turned(other, one)];
    for (const id of ids) tests.add(testKey(place, id));
    if (isGreen(one) !== isGreen(other) && ids.length === 0) commands.add(place);
  }
  return { tests, commands };
}

/** Everything that was seen to differ by either. */
export function bothUnsteady(one: Unsteady, other: Unsteady): Unsteady {
  return {
    tests: new Set([...one.tests, ...other.tests]),
    commands: new Set([...one.commands, ...other.commands]),
  };
}

/** Names of what differs, for people. */
export function unsteadyNames({ tests, commands }: Unsteady, result: GateResult): string[] {
  const named = [...tests].map((key) => key.slice(key.indexOf(" ") + 1));
  const lines = [...commands].map((place) => {
    const { command } = result.commands[place]?.command ?? {};
    if (command === undefined) return `command ${place + 1}`;
    return "shell" in command ? command.shell : command.argv.join(" ");
  });
  return [...named, ...lines];
}

/** A command that was stopped later than this is not waited for again. */
const LONGEST_STOP_MS = 60_000;

/** True where a second run can say more at a bearable price: every command was started, and none waited for long. */
export function isRepeatable(result: GateResult): boolean {
  return result.commands.every(({ ended }) =>
    ended.by === "deadline"
      ? ended.afterMs <= LONGEST_STOP_MS
      : ended.by === "exit" || ended.by === "signal",
  );
}

/** Ids that failed in `one` and did not in `other`. */
function turned(one: CommandResult, other: CommandResult): readonly string[] {
  if (one.tests === undefined || other.tests === undefined) return [];
  const then = new Map(other.tests.map((each) => [each.id, each.status]));
  return one.tests.flatMap(({ id, status }: TestCase) => {
    if (status !== "failed") return [];
    const again = then.get(id);
    // A file that failed to load has an id of its own, which is gone once it loads.
    const isGone = again === undefined && isGreen(other);
    return isGone || (again !== undefined && again !== "failed") ? [id] : [];
  });
}

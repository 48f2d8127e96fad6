import { KitError } from "../../contracts/index.ts";
import {
  findProgram,
  thisMachine,
  type Environment,
  type FoundProgram,
  type ProgramLookup,
} from "../program.ts";

const install = "Install it: npm install -g @earendil-works/pi-coding-agent";

/**
 * Finds pi: the user's setting `adapters.pi.program`, then `KIT_PI`, then `pi` on PATH.
 * @throws KitError `environment` when there is none, with the command that installs it.
 */
export async function findPi(
  setting: string | undefined,
  env: Environment,
  lookup: ProgramLookup = thisMachine,
): Promise<FoundProgram> {
  const named = [
    { value: setting, from: "the setting adapters.pi.program" },
    { value: env.KIT_PI, from: "KIT_PI" },
  ].find(({ value }) => value !== undefined && value.trim() !== "");
  if (named?.value !== undefined) {
    const found = await findProgram(named.value, env, lookup);
    if (found === undefined)
      throw new KitError(
        "environment",
        `${named.from} names ${named.value}, which is not a program`,
        {
          next: `Correct ${named.from}, or unset it to use pi from PATH`,
        },
      );
    return found;
  }
  const found = await findProgram("pi", env, lookup);
  if (found === undefined)
    throw new KitError("environment", "pi is not installed or not on PATH", { next: install });
  return found;
}

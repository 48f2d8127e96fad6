import type { Command } from "commander";
import {
  type CheckedPack,
  checkPackFile,
  checkPackReply,
  type PackFacts,
} from "../context-pack/index.ts";
import { surveyRepository } from "../survey/index.ts";
import { readInput } from "./input.ts";
import type { Io } from "./io.ts";
import { openRepository } from "./project.ts";

/** Options of every command that reads a pack. */
export interface PackOptions {
  readonly lenient?: boolean;
  readonly repo?: string;
}

/** The argument and options that go with `readPack`. */
export function addPackOptions(command: Command): Command {
  return command
    .argument("<file>", "Markdown or JSON; - reads stdin")
    .option("--lenient", "read it as a model's reply: forgive what can be understood")
    .option("--repo <folder>", "hold its paths against this repository");
}

/**
 * Reads the pack that the user named. Its paths are held against a repository only where one is
 * given: a pack may be of another machine.
 *
 * @param file a path, or `-` for stdin
 * @throws KitError `usage` for a file that cannot be read; what is wrong inside is in the result
 */
export async function readPack(
  file: string,
  { lenient, repo }: PackOptions,
  io: Io,
): Promise<CheckedPack> {
  const text = await readInput("The pack", file, io);
  const facts = repo === undefined ? undefined : await factsOf(repo, io);
  if (lenient !== true) return checkPackFile(file, text, facts);
  return checkPackReply(text, facts ?? { root: io.cwd });
}

async function factsOf(repo: string, io: Io): Promise<PackFacts> {
  const { root, git } = await openRepository(repo, io);
  const { files } = await surveyRepository({ root, git, task: "" });
  return { root, files };
}

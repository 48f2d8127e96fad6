import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../lib/files.ts";

/** An agent that pi's subagents can play. */
export interface AgentFile {
  readonly name: string;
  readonly file: string;
}

/** The agents in the folder `agents` at a place, below it too, as pi's subagents look for them. */
export async function agentFiles(place: string): Promise<readonly AgentFile[]> {
  const folder = join(place, "agents");
  const names = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return [];
    throw error;
  });
  const files = names
    .filter((name) => name.endsWith(".md") && !name.endsWith(".chain.md"))
    .toSorted()
    .map((name) => join(folder, name));
  const read = await Promise.all(files.map(nameIn));
  return read.filter((each) => each !== undefined);
}

async function nameIn(file: string): Promise<AgentFile | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  const head = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? "";
  const name = /^name:[ \t]*["']?([^"'\r\n]+?)["']?[ \t]*$/m.exec(head)?.[1];
  return name === undefined ? undefined : { name, file };
}

/** A command of a started pi, and the file that brought it. */
export interface PiCommand {
  /** Without the slash; `skill:NAME` for a skill, `NAME:2` where two extensions have the same. */
  readonly name: string;
  readonly source: "extension" | "prompt" | "skill";
  /** Absolute. */
  readonly path?: string;
}

type Json = Record<string, unknown>;

const sources = ["extension", "prompt", "skill"] as const;

/** Reads pi's answer to the RPC command `get_commands`; undefined when the line is no such answer. */
export function readCommandList(line: Buffer): readonly PiCommand[] | undefined {
  let reply: Json;
  try {
    reply = JSON.parse(line.toString("utf8")) as Json;
  } catch {
    return undefined;
  }
  if (reply.type !== "response" || reply.command !== "get_commands") return undefined;
  const listed = (reply.data as { commands?: unknown } | undefined)?.commands;
  return (Array.isArray(listed) ? (listed as Json[]) : []).flatMap((command) => {
    const source = sources.find((each) => each === command.source);
    const path = (command.sourceInfo as Json | undefined)?.path;
    if (source === undefined) return [];
    return [{ name: String(command.name), source, ...(typeof path === "string" && { path }) }];
  });
}

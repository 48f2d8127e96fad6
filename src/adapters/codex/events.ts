import type { Usage } from "../../contracts/index.ts";

type Json = Readonly<Record<string, unknown>>;

/** Everything a run of `codex exec --json` said. */
export interface CodexFacts {
  /** The agent's messages, joined. */
  readonly text: string;
  readonly hasReasoning: boolean;
  /** The turn ended well. */
  readonly completed: boolean;
  /** Why the turn failed. */
  readonly error?: string;
  /** A tool that the model called. */
  readonly tool?: string;
  readonly usage?: Usage;
  /** Warnings, for the record. */
  readonly warnings: readonly string[];
}

/** Kinds of items that are no tool: everything else makes Codex ask the model again. */
const plainItems = new Set(["agent_message", "reasoning", "error", "todo_list"]);

/** Reads the JSON lines of a run. */
export class CodexReader {
  readonly #stop: () => void;
  readonly #messages: string[] = [];
  readonly #warnings: string[] = [];
  #facts: Omit<CodexFacts, "text" | "warnings"> = { hasReasoning: false, completed: false };

  /** `stop` ends the program once a tool is called: none is wanted. */
  constructor(stop: () => void) {
    this.#stop = stop;
  }

  readonly onLine = (line: Buffer): void => {
    const said = parse(line);
    if (said.type === "item.started" || said.type === "item.completed")
      this.#item(object(said.item), said.type);
    else if (said.type === "turn.completed")
      this.#learn({ completed: true, ...readUsage(object(said.usage)) });
    else if (said.type === "turn.failed") this.#fail(object(said.error).message);
    else if (said.type === "error" && this.#facts.error === undefined) this.#fail(said.message);
  };

  facts(): CodexFacts {
    return { ...this.#facts, text: this.#messages.join("\n"), warnings: this.#warnings };
  }

  #item({ type, text, message }: Json, phase: string): void {
    if (typeof type !== "string") return;
    if (!plainItems.has(type)) {
      this.#learn({ tool: type });
      this.#stop();
    } else if (phase === "item.completed") {
      if (type === "agent_message" && typeof text === "string") this.#messages.push(text);
      if (type === "reasoning") this.#learn({ hasReasoning: true });
      if (type === "error" && typeof message === "string" && this.#warnings.length < 20)
        this.#warnings.push(message.slice(0, 500));
    }
  }

  #fail(message: unknown): void {
    this.#learn({ error: typeof message === "string" ? message : "" });
  }

  #learn(facts: Partial<Omit<CodexFacts, "text" | "warnings">>): void {
    this.#facts = { ...this.#facts, ...facts };
  }
}

/** `input_tokens` hold the cached ones too. */
function readUsage(usage: Json): { usage?: Usage } {
  const [input, cacheRead, cacheWrite, output] = [
    usage.input_tokens,
    usage.cached_input_tokens,
    usage.cache_write_input_tokens,
    usage.output_tokens,
  ].map((tokens) => (typeof tokens === "number" ? tokens : 0)) as [number, number, number, number];
  if (input + output === 0) return {};
  return {
    usage: {
      input: Math.max(0, input - cacheRead),
      output,
      cacheRead,
      cacheWrite,
      total: input + output,
    },
  };
}

function parse(line: Buffer): Json {
  try {
    return object(JSON.parse(line.toString("utf8")));
  } catch {
    // Something a wrapper printed, or a line cut off by the end of the program.
    return {};
  }
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

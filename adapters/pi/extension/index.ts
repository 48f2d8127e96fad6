/**
 * kit inside pi: the command `/kit TASK` for people and the tool `kit_run` for pi's model. Both start
 * `kit run` as a child of its own; what a run does is kit's business, and stays the same.
 */
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type KitRun, startKit } from "./child.ts";

const usage = "/kit TASK takes a task to green tests; /kit stop ends it and undoes its writes.";

/** JSON Schema; pi checks a call against it. */
const parameters = {
  type: "object",
  properties: {
    task: {
      type: "string",
      minLength: 1,
      description: "What to change, in words: the symptom, or the behaviour that is wanted",
    },
  },
  required: ["task"],
  additionalProperties: false,
} as const;

export default function kitExtension(pi: ExtensionAPI): void {
  const running = new Set<KitRun>();
  let asked: KitRun | undefined;

  const start = (
    task: string,
    cwd: string,
    onProgress: (lines: readonly string[]) => void,
  ): KitRun => {
    const run = startKit({ task, cwd, onProgress });
    running.add(run);
    void run.ended.then(() => running.delete(run));
    return run;
  };

  pi.registerTool({
    name: "kit_run",
    label: "kit run",
    description:
      "Hands one coding task to kit: other models scout the repository and write the change, the " +
      "repository's own tests judge it. A change that is not green is undone. Takes minutes and " +
      "costs money. Changes files of the working folder; commits nothing.",
    promptSnippet: "Hand a self-contained coding task to kit, which tests and undoes it if red",
    promptGuidelines: [
      "Use kit_run only when the user asks for kit; read the changed files again after kit_run.",
    ],
    parameters,
    executionMode: "sequential",
    async execute(_id, { task }, signal, onUpdate, ctx) {
      if (signal?.aborted === true) throw new Error("kit was not started: the call was cancelled.");
      const run = start(task, ctx.cwd, (lines) =>
        onUpdate?.({ content: [{ type: "text", text: lines.join("\n") }], details: undefined }),
      );
      const stop = (): void => run.stop();
      signal?.addEventListener("abort", stop, { once: true });
      const { ok, text, details } = await run.ended;
      signal?.removeEventListener("abort", stop);
      return { content: [{ type: "text", text }], details, isError: !ok };
    },
  });

  pi.registerCommand("kit", {
    description: "Take one task to green tests with kit; /kit stop ends it",
    async handler(args, ctx) {
      const task = args.trim();
      if (task === "stop") return stopAsked(ctx);
      if (task === "") return ctx.ui.notify(usage, "info");
      if (asked) return ctx.ui.notify("kit is at work already; /kit stop ends it.", "warning");
      const run = start(task, ctx.cwd, (lines) => ctx.ui.setStatus("kit", `kit: ${lines.at(-1)}`));
      asked = run;
      ctx.ui.setStatus("kit", "kit: started");
      const told = tell(run, ctx);
      // Without a screen pi would be gone before the run is.
      if (!ctx.hasUI) await told;
    },
  });

  const tell = async (run: KitRun, ctx: ExtensionContext): Promise<void> => {
    const { ok, text, details } = await run.ended;
    // After `session_shutdown` nothing of the session may be used any more.
    if (asked !== run) return;
    asked = undefined;
    ctx.ui.setStatus("kit", undefined);
    ctx.ui.notify(text, ok ? "info" : "error");
    // pi's model shall know that files have changed.
    pi.sendMessage(
      { customType: "kit", content: text, display: true, details },
      { triggerTurn: false },
    );
  };

  const stopAsked = (ctx: ExtensionContext): void => {
    if (asked) asked.stop();
    else ctx.ui.notify("kit is not at work here.", "info");
  };

  pi.on("session_shutdown", async () => {
    asked = undefined;
    const runs = [...running];
    for (const run of runs) run.stop();
    await Promise.all(runs.map(({ ended }) => ended));
  });
}

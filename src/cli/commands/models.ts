import type { Binding, Registry } from "../../contracts/index.ts";
import { defineCommand } from "../command.ts";
import { addModelOption, addRepoOption } from "../options.ts";
import { hasErrors, openProject, type ProjectRequest } from "../project.ts";
import { alignColumns } from "../views/format.ts";
import { problemLines } from "../views/problem-text.ts";
import { modelText, originDocument, originText, viaText } from "../views/route-document.ts";

export const command = defineCommand<Pick<ProjectRequest, "repo" | "model">>({
  define: (command) => addModelOption(addRepoOption(command)),
  examples: [["kit models", "every backend, the model it is bound to, and the file that says so"]],
  async run(options, { io }) {
    const { registry } = await openProject(options, io);
    const backends = backendNames(registry).map((name) => describeBackend(name, registry));
    const rows = backends.map(({ backend, state, binding, capabilities }) => {
      const source = registry.bindings.get(backend);
      const serves = capabilities.length === 0 ? "" : `serves ${capabilities.join(", ")}`;
      return [
        backend,
        binding ? `${modelText(binding)}${viaText(binding)}` : state,
        source ? originText(source) : "",
        serves,
      ];
    });
    const lines = [...alignColumns(rows), ...problemLines(registry.problems), ...advice(registry)];
    return {
      exitCode: hasErrors(registry.problems) ? 2 : 0,
      document: {
        backends: backends.map(backendDocument),
        sources: registry.sources,
        problems: registry.problems,
      },
      text: `${lines.join("\n")}\n`,
    };
  },
});

interface BackendView {
  readonly backend: string;
  readonly description: string | undefined;
  readonly state: "bound" | "placeholder" | "unbound" | "disabled";
  readonly binding: Binding | undefined;
  readonly source: Record<string, unknown> | undefined;
  /** The capabilities whose route names it. */
  readonly capabilities: readonly string[];
}

function backendNames({ backends, bindings, unbound }: Registry): string[] {
  return [...new Set([...backends.keys(), ...bindings.keys(), ...unbound.keys()])];
}

function describeBackend(backend: string, registry: Registry): BackendView {
  const binding = registry.bindings.get(backend);
  const capabilities = [...registry.capabilities].filter(([, { value }]) =>
    [value.primary, ...value.fallback].includes(backend),
  );
  return {
    backend,
    description: registry.backends.get(backend)?.value.description,
    state: binding ? "bound" : (registry.unbound.get(backend) ?? "unbound"),
    binding: binding?.value,
    source: binding && originDocument(binding),
    capabilities: capabilities.map(([name]) => name),
  };
}

function backendDocument(view: BackendView): Record<string, unknown> {
  const { backend, description, state, binding, source, capabilities } = view;
  return {
    backend,
    ...(description !== undefined && { description }),
    state,
    ...(binding && { binding }),
    ...(source && { source }),
    capabilities,
  };
}

function advice({ bindings }: Registry): string[] {
  return bindings.size === 0 ? ["", "No model is bound. Propose bindings: kit init"] : [];
}

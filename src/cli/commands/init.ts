import { join } from "node:path";
import { createPiAdapter } from "../../adapters/index.ts";
import { type AdapterModel, KitError } from "../../contracts/index.ts";
import { defineCommand } from "../command.ts";
import { addRepoOption } from "../options.ts";
import { openProject, type ProjectRequest } from "../project.ts";
import { proposeBindings } from "../propose-bindings.ts";
import { bindingsYaml } from "../views/binding-proposal.ts";

export const command = defineCommand<Pick<ProjectRequest, "repo"> & { print?: boolean }>({
  define(command) {
    addRepoOption(command).option("--print", "print the proposal; nothing is written");
  },
  examples: [
    ["kit init --print", "propose bindings from the models pi can call here"],
    [
      "kit init --print > ~/.config/kit/models.local.yaml",
      "take the proposal as it is; kit models shows the result",
    ],
  ],
  async run({ repo, print }, { io, signal }) {
    if (print !== true) {
      throw new KitError("usage", "kit init writes nothing yet.", {
        next: "Print the proposal and save it yourself: kit init --print",
      });
    }
    const { settings, layers } = await openProject(repo === undefined ? {} : { repo }, io);
    const adapters = [createPiAdapter({ env: io.env, program: settings.piProgram.value })];
    const listed = await Promise.all(
      adapters.map(async (adapter) => {
        const { version } = await adapter.check(signal);
        const models = await adapter.models(signal);
        return { program: `${adapter.name} ${version}`, models };
      }),
    );
    const models = listed.flatMap((each): readonly AdapterModel[] => each.models);
    const program = listed.map((each) => each.program).join(", ");
    if (models.length === 0) {
      throw new KitError("environment", `${program} can call no model here.`, {
        next: "Sign in to a provider: start pi, then /login; or write its models.json",
      });
    }
    const user = layers.find(({ layer }) => layer === "user");
    const file = join(user?.folder ?? "", "models.local.yaml");
    const proposed = proposeBindings(models);
    const yaml = bindingsYaml(proposed, models, file, program);
    return {
      exitCode: 0,
      document: {
        file,
        yaml,
        backends: proposed.map(({ backend, model, because }) => {
          return { backend, provider: model.provider, model: model.model, because };
        }),
        models,
      },
      text: yaml,
    };
  },
});

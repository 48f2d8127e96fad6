import { join } from "node:path";
import type { SurveyResult } from "../../contracts/index.ts";
import { commandText, findTestCommands } from "../../gate/index.ts";
import { surveyRepository, type SurveyRequest } from "../../survey/index.ts";

/**
 * Surveys a repository as every command does: packages come with the test commands that the
 * conventions of their manifests give, those of folders above left out.
 */
export function surveyWithCommands(request: SurveyRequest): Promise<SurveyResult> {
  const { root } = request;
  return surveyRepository({
    ...request,
    testCommandsOf: async (folder) => {
      const startFolder = join(root, folder);
      const commands = await findTestCommands({ root, startFolder, flags: [] });
      return commands.filter(({ cwd }) => cwd === startFolder).map(commandText);
    },
  });
}

import { openGit } from "../../src/lib/git.ts";
import type { SurveyResult } from "../../src/contracts/index.ts";
import { surveyRepository, type SurveyLimits } from "../../src/survey/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";

/** A folder with files and without git: nothing that ranks or reads files needs it. */
export function folderWith(files: Record<string, string | Uint8Array>): string {
  const root = temporaryFolder();
  writeFiles(root, files);
  return root;
}

/** Surveys a folder as it stands, without git. */
export async function survey(
  root: string,
  task: string,
  failingOutput?: string,
  limits?: Partial<SurveyLimits>,
): Promise<SurveyResult> {
  return surveyRepository({
    root,
    task,
    failingOutput,
    ...(limits === undefined ? {} : { limits }),
  });
}

/** Surveys as the command line does: with git where there is a repository. */
export async function surveyWithGit(root: string, task: string): Promise<SurveyResult> {
  return surveyRepository({ root, git: await openGit(root), task });
}

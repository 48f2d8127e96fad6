/**
 * What does the repository hold, as far as the task goes? Files, ranking, excerpts, rules, and
 * the contents that the coder is shown. It leaves to others: test commands (`gate`), what is
 * handed over (`context-pack`), and which paths may be written (`changes`).
 */
export {
  readPackFiles,
  writesMask,
  type PackFileContent,
  type PackFileLimits,
  type PackFilesResult,
} from "./pack-files.ts";
export { surveyRepository, type SurveyLimits, type SurveyRequest } from "./survey.ts";

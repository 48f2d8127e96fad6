import { openGit } from "../src/lib/git.ts";
import { surveyRepository } from "../src/survey/index.ts";

// One survey in a process of its own, with the cache: `node scripts/survey-once.ts ROOT TASK`.
// Prints milliseconds in all and by stage, processor time, and the most memory the process took.

const [root = "", task = ""] = process.argv.slice(2);
const stages: Record<string, number> = {};
const started = performance.now();
const found = await surveyRepository({
  root,
  git: await openGit(root),
  task,
  cache: "write",
  onStage: (stage, tookMs) => {
    stages[stage] = Math.round(tookMs);
  },
});
const tookMs = Math.round(performance.now() - started);
const own = process.cpuUsage();
const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(
  JSON.stringify({
    tookMs,
    cpuMs: Math.round((own.user + own.system) / 1000),
    megabytes,
    stages,
    files: found.files.length,
    ranked: found.ranked.length,
  }),
);

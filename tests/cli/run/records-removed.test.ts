import { join } from "node:path";
import { expect, test } from "vitest";
import { git, repository, temporaryFolder, writeFiles } from "../../support/repository.ts";
import { runKit } from "../support.ts";

const pack = `# Context Pack

## task
add(2, 3) must be 5.

## goal
The tests are green.

## constraints
- Touch only the listed files.

## relevant_files
- \`math.js\` — part of the change

## expected_output
A change to math.js.
`;

/** A run whose model, a script of ours, removes this of the repository while it is asked. */
async function runWhileRemoved(removed: string) {
  const cwd = repository({ "math.js": "add = (a, b) => a - b;\n" });
  const config = temporaryFolder();
  const script = `cat > /dev/null; cd '${cwd}' && rm -rf ${removed}; echo no idea`;
  const command = ["/bin/sh", "-c", script];
  writeFiles(config, {
    "pack.md": pack,
    "models.local.yaml": JSON.stringify({
      version: 1,
      backends: { strong: { adapter: "command", provider: "us", model: "script", command } },
    }),
  });
  const env = { ...process.env, KIT_CONFIG_DIR: config, KIT_STATE_DIR: temporaryFolder() };
  const pieces = ["--pack", join(config, "pack.md"), "--test", "false", "--sandbox", "off"];
  return { cwd, ran: await runKit(["run", ...pieces, "--json"], { cwd, env }) };
}

test.each([
  [".kit"],
  [".kit/runs"],
  // As far as rm comes where kit writes meanwhile.
  [".kit/runs/.gitignore .kit/runs/*/events.jsonl"],
])("%s removed during a run is said, and nothing is left that git would see", async (removed) => {
  const { cwd, ran } = await runWhileRemoved(removed);

  expect(ran.exitCode).toBe(5);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    error: { kind: "environment", message: "kit's records were removed while it worked." },
  });
  expect(git(cwd, "status", "--porcelain")).toBe("");
});

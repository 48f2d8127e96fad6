import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Tests never see the HOME, the git configuration or the kit configuration of who runs them. */
export default function usePrivateHome(): () => void {
  const home = mkdtempSync(join(tmpdir(), "kit-test-home-"));
  for (const name of Object.keys(process.env)) {
    if (/^(GIT_|KIT_(?!VECTORS_DIR|CORPUS_DIR|PROPERTY_RUNS|CRASH_POINTS)|XDG_|PI_)/.test(name))
      delete process.env[name];
  }
  Object.assign(process.env, {
    HOME: home,
    KIT_CONFIG_DIR: join(home, "kit-config"),
    KIT_STATE_DIR: join(home, "kit-state"),
    PI_CODING_AGENT_DIR: join(home, "pi-agent"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Test",
    GIT_AUTHOR_EMAIL: "test@example.invalid",
    GIT_COMMITTER_NAME: "Test",
    GIT_COMMITTER_EMAIL: "test@example.invalid",
  });
  return () => rmSync(home, { recursive: true, force: true });
}

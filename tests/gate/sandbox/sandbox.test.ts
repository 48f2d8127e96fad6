import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openSandbox } from "../../../src/gate/index.ts";
import { git, repository, temporaryFolder, writeFiles } from "../../support/repository.ts";
import { noSandbox, runConfined } from "./support.ts";

const secret = "planted-EXAMPLE-0815";

/** A home with a credential in every place that tools keep one. */
function homeWithSecrets(): { readonly home: string; readonly files: readonly string[] } {
  const home = temporaryFolder();
  const files = [
    ".ssh/id_ed25519",
    ".ssh/config",
    ".aws/credentials",
    ".gnupg/private-keys-v1.d/a.key",
    ".config/gh/hosts.yml",
    ".config/kit/models.local.yaml",
    ".config/tool/credentials.json",
    ".local/state/kit/trust.json",
    ".netrc",
    ".npmrc",
    ".git-credentials",
    ".docker/config.json",
    ".kube/config",
    ".pi/agent/auth.json",
    ".cargo/credentials.toml",
    ".bash_history",
    ".env",
    ".claude.json",
    ".cursor/auth.json",
    ".config/github-copilot/apps.json",
    ".config/Bitwarden CLI/data.json",
    ".cache/huggingface/token",
    ".ivy2/.credentials",
    ".viminfo",
  ];
  writeFiles(home, Object.fromEntries(files.map((file) => [file, `${secret}\n`])));
  return { home, files };
}

describe.skipIf(noSandbox !== undefined)("in the sandbox, a test command", () => {
  test("reads no credential of the user, and still finds the home", async () => {
    const { home, files } = homeWithSecrets();
    writeFiles(home, { ".profile": "plain\n", ".gitconfig": `[user]\n  name = Ada\n` });
    const env = { KIT_CONFIG_DIR: "", KIT_STATE_DIR: "", PI_CODING_AGENT_DIR: "" };
    const paths = [...files.map((file) => `"$HOME/${file}"`), '"$HOME/.profile"'].join(" ");

    const { output, ended } = await runConfined(
      repository({}),
      `cat ${paths}; git config user.name; find "$HOME" -type f -exec cat {} +`,
      { home, env },
    );

    expect(ended).toEqual({ by: "exit", code: 0 });
    expect(output).toContain("plain\n");
    expect(output).toContain("Ada\n");
    expect(output).not.toContain(secret);
  });

  test("sees configuration that may hold a password with the password masked", async () => {
    const home = temporaryFolder();
    const settings =
      "<settings><mirror>m</mirror>\n<password>hunter2hunter2</password></settings>\n";
    writeFiles(home, { ".m2/settings.xml": settings, ".gradle/gradle.properties": "a=b\n" });

    const { output } = await runConfined(repository({}), 'cat "$HOME"/.m2/* "$HOME"/.gradle/*', {
      home,
    });

    expect(output).toContain("<mirror>m</mirror>");
    expect(output).toContain("a=b\n");
    expect(output).not.toContain("hunter2hunter2");
  });

  test("writes in the repository and in a private temporary folder, nowhere else", async () => {
    const outside = temporaryFolder();
    const home = temporaryFolder();
    const root = repository({ "a.txt": "a\n" });
    const places = [`${outside}/x`, "$HOME/x", "/etc/kit-test-x", "/usr/kit-test-x"];

    const { output } = await runConfined(
      root,
      `${places.map((place) => `(echo x > "${place}") 2>/dev/null && echo WROTE "${place}"`).join("; ")}
       echo x > inside.txt; echo x > "$TMPDIR/x" && cat "$TMPDIR/x"; echo x > /tmp/kit-test-private`,
      { home },
    );

    expect(output).toBe("x\n");
    expect(readFileSync(join(root, "inside.txt"), "utf8")).toBe("x\n");
    const found = [`${outside}/x`, `${home}/x`, "/etc/kit-test-x", "/tmp/kit-test-private"];
    expect(found.filter((path) => existsSync(path))).toEqual([]);
  });

  test("changes neither git's folder, nor kit's, nor hooks", async () => {
    const root = repository({ "a.txt": "a\n", ".kit/kit.yaml": "", ".husky/pre-commit": "" });
    const targets = [".git/hooks/pre-commit", ".git/config", ".kit/kit.yaml", ".husky/pre-commit"];

    const { output } = await runConfined(
      root,
      `for file in ${targets.join(" ")}; do (echo evil >> $file) 2>/dev/null && echo WROTE $file; done
       mv .git .git2 2>/dev/null && echo MOVED; rm -rf .kit 2>/dev/null && echo REMOVED; git status --short`,
      { hookFolders: [join(root, ".husky")] },
    );

    expect(output).toBe("");
  });

  test("moves no folder away that holds hooks or a submodule's git folder", async () => {
    const root = repository({ "a.txt": "a\n", "tools/git/hooks/pre-commit": "", "lib/x": "" });
    const library = repository({ "lib.txt": "a\n" });
    git(
      root,
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "--quiet",
      "add",
      library,
      "lib/sub",
    );

    const { output } = await runConfined(
      root,
      `for folder in tools tools/git tools/git/hooks lib lib/sub; do mv $folder away 2>/dev/null && echo MOVED $folder; done
       echo b > tools/git/other && echo b > lib/sub/lib.txt && cat tools/git/other lib/sub/lib.txt`,
      { hookFolders: [join(root, "tools/git/hooks")] },
    );

    expect(output).toBe("b\nb\n");
  });

  test("changes nothing of git in a linked worktree or a submodule", async () => {
    const main = repository({ "a.txt": "a\n" });
    const tree = join(temporaryFolder(), "tree");
    git(main, "worktree", "add", "--quiet", tree);
    const library = repository({ "lib.txt": "a\n" });
    git(tree, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "sub");

    const { output } = await runConfined(
      tree,
      `git log --oneline | wc -l; (echo x > .git) 2>/dev/null && echo WROTE
       (echo x > sub/.git) 2>/dev/null && echo WROTE sub
       (echo x > "$(git rev-parse --git-common-dir)/hooks/x") 2>/dev/null && echo WROTE hook
       (echo x > "$(git rev-parse --git-dir)/x") 2>/dev/null && echo WROTE git`,
    );

    expect(output.trim()).toBe("1");
  });

  test("reaches no server of this machine, but one of its own", async () => {
    const server = createServer((socket) => socket.end("outer"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const program = `
      const net = require("node:net");
      const ask = (port, host) => new Promise((resolve) => net.connect(port, host)
        .on("error", (error) => resolve(error.code)).on("data", (text) => resolve(String(text))));
      const own = net.createServer((socket) => socket.end("own")).listen(0, "127.0.0.1", async () => {
        console.log(await ask(${port}, "127.0.0.1"), await ask(53, "192.0.2.1"), await ask(own.address().port, "127.0.0.1"));
        process.exit();
      });`;
    const root = repository({ "ask.cjs": program });

    const { output } = await runConfined(root, "node ask.cjs");
    expect(output).toBe("ECONNREFUSED ENETUNREACH own\n");

    const open = await runConfined(root, "node ask.cjs", { network: true });
    expect(open.output).toMatch(/^outer .* own\n$/);
  });

  test("sees no process of the machine, gains no rights and has no terminal", async () => {
    const { output } = await runConfined(
      repository({}),
      `ls -d /proc/[0-9]* | wc -l; grep CapEff /proc/self/status; mount -t tmpfs x /mnt 2>/dev/null && echo MOUNTED
       (cat < /dev/tty) 2>/dev/null && echo TERMINAL; (echo x > /proc/sys/kernel/hostname) 2>/dev/null && echo SYSCTL; :`,
    );

    const [processes, capabilities, ...rest] = output.trim().split("\n");
    expect(Number(processes)).toBeLessThan(10);
    expect(capabilities).toMatch(/0{16}$/);
    expect(rest).toEqual([]);
  });

  test("leaves a report where its runner is told to, and what the user allows", async () => {
    const reportFolder = temporaryFolder();
    const allowed = temporaryFolder();

    await runConfined(repository({}), `echo r > ${reportFolder}/r; echo a > ${allowed}/a`, {
      reportFolder,
      writable: [allowed, "/no/such/folder"],
    });

    expect(readFileSync(join(reportFolder, "r"), "utf8")).toBe("r\n");
    expect(readFileSync(join(allowed, "a"), "utf8")).toBe("a\n");
  });

  test("ends with its own exit code; what it leaves running is ended and named", async () => {
    const { ended, leftBehind, durationMs } = await runConfined(
      repository({}),
      "setsid sleep 61 & (sleep 62 &) ; exit 3",
    );

    expect(ended).toEqual({ by: "exit", code: 3 });
    expect(leftBehind?.toSorted()).toEqual(["sleep 61", "sleep 62"]);
    expect(durationMs).toBeLessThan(10_000);
  });

  test("is found missing as outside: 127", async () => {
    const { ended } = await runConfined(repository({}), "no-such-runner");

    expect(ended).toEqual({ by: "exit", code: 127 });
  });

  test("finds dependencies that are linked into the tree", async () => {
    const store = temporaryFolder();
    writeFiles(store, { "node_modules/dep/index.js": "module.exports = 'found';\n" });
    const root = repository({ "a.cjs": "console.log(require('dep'));\n" });
    symlinkSync(join(store, "node_modules"), join(root, "node_modules"));

    expect((await runConfined(root, "node a.cjs")).output).toBe("found\n");
  });

  test("keeps nothing in the temporary folder of the machine", async () => {
    const { output } = await runConfined(repository({}), 'echo "$TMPDIR"');
    const sandbox = await openSandbox({
      mode: "on",
      root: repository({}),
      environment: process.env,
      network: false,
      writable: [],
      hookFolders: [],
    });
    if (!sandbox.confined) throw new Error(sandbox.reason);
    const { TMPDIR: own = "" } = sandbox.environment({});
    expect(existsSync(own)).toBe(true);

    await sandbox.close();

    expect(existsSync(own)).toBe(false);
    expect(output).toMatch(/kit-sandbox-/);
  });
});

describe.skipIf(noSandbox !== undefined || process.getuid?.() !== 0)("as another user", () => {
  test("the sandbox confines too", () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    const root = join(folder, "tree");
    writeFiles(root, { "a.txt": "a\n" });
    execFileSync("chown", ["-R", "nobody", root]);
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const program = join(import.meta.dirname, "programs", "run-confined.ts");
    const line = "echo in > b.txt; (echo x > /tmp/../usr/x) 2>/dev/null || echo refused; id -u";

    const printed = execFileSync(process.execPath, [program, root, line], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: root },
      uid: 65_534,
      gid: 65_534,
    });

    expect(JSON.parse(printed)).toMatchObject({
      confined: true,
      output: "refused\n65534\n",
      ended: { by: "exit", code: 0 },
    });
    expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("in\n");
  });
});

describe("without a sandbox", () => {
  /** A machine on which bubblewrap is there and refuses, as in most containers. */
  function refusing(): Record<string, string> {
    const folder = temporaryFolder();
    writeFiles(folder, {
      bwrap: "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n",
    });
    chmodSync(join(folder, "bwrap"), 0o755);
    return { PATH: `${folder}:${process.env["PATH"] ?? ""}` };
  }
  const request = { network: false, writable: [], hookFolders: [] };

  test("auto runs all the same and says why", async () => {
    const root = repository({});
    const sandbox = await openSandbox({ mode: "auto", root, environment: refusing(), ...request });

    expect(sandbox).toMatchObject({
      confined: false,
      reason: "bubblewrap does not work here: bwrap: No permissions to create new namespace",
    });
  });

  test("on is refused as the environment's fault, with what mends it", async () => {
    const opening = openSandbox({
      mode: "on",
      root: repository({}),
      environment: refusing(),
      ...request,
    });

    await expect(opening).rejects.toMatchObject({
      kind: "environment",
      next: expect.stringMatching(/user namespaces.*--sandbox off/),
    });
  });

  test("a bubblewrap of the repository's own is not used", async () => {
    const root = repository({});
    const { PATH = "" } = refusing();
    const [folder = ""] = PATH.split(":");
    const environment = { PATH: folder };

    const opening = openSandbox({ mode: "auto", root: folder, environment, ...request });

    expect(JSON.stringify(await opening)).not.toContain("No permissions");
    expect(root).not.toBe(folder);
  });
});

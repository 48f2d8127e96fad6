import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import {
  GitError,
  gitEnvironment,
  openGit,
  stateFolder,
  whyNoGit,
  type Git,
} from "../../src/lib/git.ts";
import { git, repository, snapshot, temporaryFolder } from "../support/repository.ts";

async function opened(folder: string): Promise<Git> {
  const repo = await openGit(folder);
  if (repo === undefined) throw new Error(`no repository at ${folder}`);
  return repo;
}

async function failure(work: Promise<unknown>): Promise<GitError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof GitError)) throw new Error("no GitError", { cause: error });
  return error;
}

describe("openGit", () => {
  it("finds the top level from a folder below it, links resolved", async () => {
    const root = repository({ "a/b/c.txt": "c\n" });
    const link = join(temporaryFolder(), "link");
    symlinkSync(join(root, "a"), link);

    expect((await opened(join(root, "a/b"))).root).toBe(root);
    expect((await opened(link)).root).toBe(root);
  });

  it("gives undefined where there is no repository", async () => {
    expect(await openGit(temporaryFolder())).toBeUndefined();
  });

  it("throws no_working_tree in a bare repository and in git's own folder", async () => {
    const bare = temporaryFolder();
    git(bare, "init", "-q", "--bare");
    const root = repository({ "a.txt": "a\n" });

    for (const folder of [bare, join(bare, "hooks"), join(root, ".git"), join(root, ".git/refs")]) {
      await expect(openGit(folder)).rejects.toMatchObject({ code: "no_working_tree" });
    }
  });

  it("gives undefined where there is no git program", async () => {
    const root = repository({});
    vi.stubEnv("PATH", temporaryFolder());
    try {
      expect(await openGit(root)).toBeUndefined();
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("says why there is none although there is a .git", async () => {
    const damaged = repository({ "a/x": "" });
    rmSync(join(damaged, ".git/HEAD"));
    const path = process.env["PATH"];

    expect(await openGit(join(damaged, "a"))).toBeUndefined();
    expect(await whyNoGit(join(damaged, "a"))).toContain("git takes it for no repository");
    expect(await whyNoGit(temporaryFolder())).toBeUndefined();
    process.env["PATH"] = temporaryFolder();
    try {
      expect(await whyNoGit(damaged)).toContain("there is no git program");
    } finally {
      process.env["PATH"] = path;
    }
  });

  it("waits for no pipe in the place of an ignore file", async () => {
    const root = repository({ "a.js": "" });
    execFileSync("mkfifo", [join(root, ".git/pipe")]);
    git(root, "config", "core.excludesFile", ".git/pipe");
    writeFileSync(join(root, "b.js"), "");
    const repo = await opened(root);

    for (const args of [
      ["status", "--porcelain"],
      ["ls-files", "--others", "--exclude-standard"],
      ["check-ignore", "b.js"],
    ]) {
      const said = await repo.run(args, { okCodes: [0, 1] });
      expect(said.toString()).toBe(
        args[0] === "status" ? "?? b.js\n" : args[0] === "ls-files" ? "b.js\n" : "",
      );
    }
  });

  it("throws ENOENT for a folder that does not exist", async () => {
    await expect(openGit(join(temporaryFolder(), "none"))).rejects.toMatchObject({
      code: "ENOENT",
    });
  });

  it("works without a commit, on a detached HEAD, and in a path with blanks and umlauts", async () => {
    const root = join(temporaryFolder(), "a b ü -x");
    mkdirSync(root);
    git(root, "init", "-q");

    const repo = await opened(root);

    expect(repo.root).toBe(root);
    expect((await repo.run(["ls-files", "-z"])).toString()).toBe("");
  });

  it("keeps the state of each working tree in git's own folder", async () => {
    const root = repository({ "a.txt": "a\n" });
    const second = join(temporaryFolder(), "second");
    git(root, "worktree", "add", "-q", "--detach", second);

    const repo = await opened(root);
    const linked = await opened(second);

    expect(await stateFolder(repo, root)).toBe(join(root, ".git/kit"));
    expect(await stateFolder(linked, second)).toBe(join(root, ".git/worktrees/second/kit"));
    expect(await stateFolder(undefined, "/x/y")).toBe("/x/y/.kit/state");
  });

  it("refuses settings that move the working tree elsewhere", async () => {
    const outer = temporaryFolder();
    const root = join(outer, "inner");
    mkdirSync(root);
    git(root, "init", "-q");
    git(root, "config", "core.worktree", outer);

    const error = await failure(openGit(root));

    expect(error.message).toContain("core.worktree");
  });

  it.skipIf(process.getuid?.() !== 0)(
    "tells a repository of another user from no repository, with git's advice",
    async () => {
      const root = repository({ "a.txt": "a\n" });
      const { chownSync } = await import("node:fs");
      chownSync(root, 12_345, 12_345);
      chownSync(join(root, ".git"), 12_345, 12_345);

      const error = await failure(openGit(root));

      expect(error.code).toBe("dubious_ownership");
      expect(error.message).toContain(root);
      expect(error.message).toContain("safe.directory");
    },
  );

  it("reports a git folder that git cannot read in git's words", async () => {
    const root = repository({});
    git(root, "config", "core.repositoryformatversion", "99");

    const error = await failure(openGit(root));

    expect(error).toMatchObject({ code: "other", exitCode: 128 });
    expect(error.message).toContain("99");
  });
});

describe("Git.run", () => {
  it("gives bytes as git wrote them", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const root = repository({ "b.bin": bytes });

    const shown = await (await opened(root)).run(["cat-file", "blob", "HEAD:b.bin"]);

    expect(new Uint8Array(shown)).toEqual(bytes);
  });

  it("takes input and further exit codes that are fine", async () => {
    const repo = await opened(repository({ ".gitignore": "x.log\n" }));

    const ignored = await repo.run(["check-ignore", "-z", "--stdin"], { input: "x.log\0y\0" });
    const none = await repo.run(["check-ignore", "y"], { okCodes: [0, 1] });

    expect(ignored.toString()).toBe("x.log\0");
    expect(none.length).toBe(0);
  });

  it("throws with git's stderr and exit code", async () => {
    const repo = await opened(repository({}));

    const error = await failure(repo.run(["rev-parse", "--verify", "nowhere"]));

    expect(error.exitCode).toBe(128);
    expect(error.stderr).toContain("Needed a single revision");
    expect(error.message).toMatch(/^git rev-parse \(exit 128\): fatal/);
  });

  it.each([
    ["add", "-A"],
    ["config", "a.b", "c"],
    ["checkout", "."],
    ["stash"],
    ["diff", "--ext-diff"],
    ["log", "--textconv"],
  ])("refuses git %s: it writes or runs programs", async (...args) => {
    const repo = await opened(repository({}));

    await expect(repo.run(args)).rejects.toThrow(RangeError);
  });

  it("ends with an aborted signal", async () => {
    const repo = await opened(repository({}));

    const error = await failure(repo.run(["log"], { signal: AbortSignal.abort() }));

    expect(error.message).toContain("abort");
  });

  it("prints the same whatever the user's settings say", async () => {
    const root = repository({ "ä.txt": "a\n" });
    writeFileSync(join(root, "ä.txt"), "b\n");
    const repo = await opened(root);
    const before = await repo.run(["diff"]);
    const settings = {
      "color.ui": "always",
      "diff.noprefix": "true",
      "diff.mnemonicPrefix": "true",
      "diff.external": "/bin/false",
      "core.quotePath": "false",
      "log.showSignature": "true",
      "core.pager": "false",
      "column.ui": "always",
      "status.branch": "true",
    };
    for (const [key, value] of Object.entries(settings)) git(root, "config", key, value);

    const after = await repo.run(["diff"]);

    expect(after.toString()).toBe(before.toString());
    expect(after.toString()).toContain("+b");
  });

  it("takes no lock for reading: a stale index.lock does no harm and stays", async () => {
    const root = repository({ "a.txt": "a\n" });
    writeFileSync(join(root, ".git/index.lock"), "");
    writeFileSync(join(root, "a.txt"), "b\n");
    const before = snapshot(join(root, ".git"), []);

    const status = await (await opened(root)).run(["status", "--porcelain", "-z"]);

    expect(status.toString()).toBe(" M a.txt\0");
    expect(snapshot(join(root, ".git"), [])).toEqual(before);
  });
});

describe("the environment of git", () => {
  it("goes by the folder, not by a GIT_DIR that a hook left", async () => {
    const victim = repository({ "victim.txt": "v\n" });
    const root = repository({ "mine.txt": "m\n" });
    const before = snapshot(victim, []);
    for (const [name, value] of Object.entries({
      GIT_DIR: join(victim, ".git"),
      GIT_WORK_TREE: victim,
      GIT_INDEX_FILE: join(victim, ".git/index"),
      GIT_COMMON_DIR: join(victim, ".git"),
      GIT_OBJECT_DIRECTORY: join(victim, ".git/objects"),
      GIT_CEILING_DIRECTORIES: "/",
      GIT_NAMESPACE: "x",
      GIT_EXTERNAL_DIFF: "/bin/false",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.bare",
      GIT_CONFIG_VALUE_0: "true",
      GIT_CONFIG_PARAMETERS: "'core.bare=true'",
    })) {
      vi.stubEnv(name, value);
    }
    try {
      const repo = await opened(root);
      expect(repo.root).toBe(root);
      expect((await repo.run(["ls-files"])).toString()).toBe("mine.txt\n");
    } finally {
      vi.unstubAllEnvs();
    }
    expect(snapshot(victim, [])).toEqual(before);
  });

  it("keeps what says which configuration the user wants and who commits, asks nothing, speaks English", () => {
    const who = {
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.invalid",
      GIT_AUTHOR_DATE: "2026-11-30T19:14:30Z",
      GIT_COMMITTER_NAME: "Bo",
      GIT_COMMITTER_EMAIL: "bo@example.invalid",
      GIT_COMMITTER_DATE: "2026-11-30T19:14:31Z",
    };
    const env = gitEnvironment({
      PATH: "/usr/bin:.:node_modules/.bin::/bin",
      HOME: "/h",
      LC_ALL: "de_DE.UTF-8",
      GIT_CONFIG_GLOBAL: "/g",
      GIT_CONFIG_NOSYSTEM: "1",
      ...who,
      GIT_AUTHOR_PROGRAM: "x",
      GIT_DIR: "/d",
      GIT_SSH_COMMAND: "x",
    });

    expect(env).toMatchObject({
      PATH: "/usr/bin:/bin",
      HOME: "/h",
      LC_ALL: "C",
      GIT_CONFIG_GLOBAL: "/g",
      GIT_CONFIG_NOSYSTEM: "1",
      ...who,
      GIT_TERMINAL_PROMPT: "0",
      GIT_OPTIONAL_LOCKS: "0",
    });
    expect(env).not.toHaveProperty("GIT_AUTHOR_PROGRAM");
    expect(env).not.toHaveProperty("GIT_DIR");
    expect(env).not.toHaveProperty("GIT_SSH_COMMAND");
  });
});

describe("a repository whose settings name programs", () => {
  /** Each program leaves a file of its own name in `markers` when it runs. */
  function trapped(): { root: string; markers: string } {
    const root = repository({ "a.js": "1\n", "b=c.js": "1\n", "sub/s.txt": "s\n" });
    const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n";
    const commit = git(root, "cat-file", "commit", "HEAD").replace("\n\n", `\n${signature}\n`);
    const signed = execFileSync("git", ["hash-object", "-t", "commit", "-w", "--stdin"], {
      cwd: root,
      input: commit,
      encoding: "utf8",
    });
    git(root, "reset", "-q", "--hard", signed.trim());
    const markers = temporaryFolder();
    const trap = (name: string, rest = "cat"): string => `touch ${join(markers, name)}; ${rest}`;
    const hook = join(markers, "hooks");
    mkdirSync(hook);
    for (const name of [
      "post-index-change",
      "fsmonitor-watchman",
      "reference-transaction",
      "post-checkout",
    ]) {
      const text = `#!/bin/sh\ntouch ${join(markers, `hook-${name}`)}\n`;
      for (const folder of [hook, join(root, ".git/hooks")]) {
        writeFileSync(join(folder, name), text);
        chmodSync(join(folder, name), 0o755);
      }
    }
    const signer = join(hook, "gpg");
    writeFileSync(signer, `#!/bin/sh\ntouch ${join(markers, "gpg")}\n`);
    chmodSync(signer, 0o755);
    const included = join(markers, "included.config");
    writeFileSync(included, `[filter "inc"]\n\tclean = "${trap("include-clean")}"\n`);
    const settings: readonly (readonly [string, string])[] = [
      ["core.hooksPath", hook],
      ["core.fsmonitor", trap("fsmonitor", "false")],
      ["core.pager", trap("pager")],
      ["pager.status", trap("pager-status")],
      ["pager.diff", "true"],
      ["core.editor", trap("editor")],
      ["core.askPass", trap("askpass")],
      ["core.sshCommand", trap("ssh")],
      ["core.gitProxy", trap("proxy")],
      ["core.alternateRefsCommand", trap("alternates")],
      ["credential.helper", `!${trap("credential")}`],
      ["diff.external", trap("diff-external", "true")],
      ["diff.y.command", trap("diff-command", "true")],
      ["diff.y.textconv", trap("textconv")],
      ["filter.x.clean", trap("clean")],
      ["filter.x.smudge", trap("smudge")],
      ["filter.x.required", "true"],
      ["filter.p.process", trap("process", "false")],
      ["filter.p.required", "true"],
      ["filter.a=b.clean", trap("clean-equals")],
      ["filter.a.b c.clean", trap("clean-dots")],
      ["gpg.program", signer],
      ["gpg.ssh.program", trap("gpg-ssh")],
      ["log.showSignature", "true"],
      ["alias.status", `!${trap("alias")}`],
      ["alias.ls-files", `!${trap("alias-ls")}`],
      ["include.path", included],
      ["interactive.diffFilter", trap("diff-filter")],
      ["merge.z.driver", trap("merge")],
      ["status.submoduleSummary", "true"],
      ["diff.submodule", "log"],
      ["remote.origin.url", `ext::sh -c touch% ${join(markers, "ext")}`],
      ["remote.origin.uploadpack", trap("uploadpack")],
      ["remote.origin.promisor", "true"],
      ["extensions.partialClone", "origin"],
      ["protocol.ext.allow", "always"],
    ];
    appendFileSync(join(root, ".git/config"), settings.map(settingText).join(""));
    const attributes =
      "*.js filter=x diff=y merge=z\nb=c.js filter=a=b\n*.txt filter=p\n*.md filter=inc\n";
    writeFileSync(join(root, ".git/info/attributes"), attributes);
    writeFileSync(join(root, ".gitattributes"), attributes);
    // Dirty by their times and sizes alike, so that git has to look into them.
    for (const [path, text] of Object.entries({
      "a.js": "2\n",
      "b=c.js": "22\n",
      "sub/s.txt": "t\n",
    })) {
      writeFileSync(join(root, path), text);
      utimesSync(join(root, path), 1, 1);
    }
    for (const name of readdirSync(markers)) {
      if (name !== "hooks" && name !== "included.config") throw new Error(`the setup ran ${name}`);
    }
    return { root, markers };
  }

  /** `filter.a=b.clean` as lines of a configuration file; a process for each would take long. */
  function settingText([key, value]: readonly [string, string]): string {
    const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
    const subsection = first === last ? "" : ` "${key.slice(first + 1, last)}"`;
    const text = value.replaceAll(/["\\]/g, "\\$&");
    return `[${key.slice(0, first)}${subsection}]\n\t${key.slice(last + 1)} = "${text}"\n`;
  }

  it.each([
    ["rev-parse", "HEAD"],
    ["ls-files", "-z", "--stage"],
    ["ls-files", "-z", "--modified"],
    ["ls-files", "-z", "--others", "--exclude-standard"],
    ["status", "--porcelain=v2", "--branch", "-z"],
    ["status"],
    ["diff"],
    ["diff", "HEAD"],
    ["diff", "--stat"],
    ["diff-files", "-p"],
    ["diff-index", "-p", "HEAD"],
    ["log", "-p"],
    ["log", "--format=%G?%h", "-1"],
    ["show"],
    ["hash-object", "a.js", "b=c.js", "sub/s.txt"],
    ["hash-object", "--no-filters", "a.js"],
    ["cat-file", "-p", "HEAD:a.js"],
    ["cat-file", "-e", "0123456789012345678901234567890123456789"],
    ["check-ignore", "a.js"],
    ["rev-list", "--objects", "--all"],
  ])("has none of them run by git %s %s", async (...args) => {
    const { root, markers } = trapped();

    const repo = await opened(root);
    await repo.run(args, { okCodes: [0, 1, 128] });

    expect(readdirSync(markers).sort()).toEqual(["hooks", "included.config"]);
    expect(existsSync(join(root, ".git/kit"))).toBe(false);
  });

  it("would have them run by plain git", () => {
    const { root, markers } = trapped();

    for (const args of [
      ["status"],
      ["diff"],
      ["hash-object", "b=c.js"],
      ["log", "--format=%G?"],
      ["show"],
    ]) {
      spawnSync("git", args, { cwd: root });
    }
    spawnSync(
      "git",
      ["-c", "diff.external=", "-c", "core.fsmonitor=false", "diff", "--no-ext-diff"],
      {
        cwd: root,
      },
    );

    expect(readdirSync(markers)).toEqual(
      expect.arrayContaining(["clean", "clean-equals", "gpg", "fsmonitor", "process", "textconv"]),
    );
  });

  it("has its changes seen all the same", async () => {
    const { root } = trapped();

    const diff = await (await opened(root)).run(["diff", "HEAD", "--", "a.js"]);

    expect(diff.toString()).toContain("-1\n+2\n");
  });

  it("has no missing filter fail a call", async () => {
    const root = repository({ "d.bin": "version https://git-lfs.github.com/spec/v1\n" });
    git(root, "config", "filter.lfs.process", "no-such-git-lfs filter-process");
    git(root, "config", "filter.lfs.clean", "no-such-git-lfs clean -- %f");
    git(root, "config", "filter.lfs.required", "true");
    writeFileSync(join(root, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    utimesSync(join(root, "d.bin"), 1, 1);

    const status = await (await opened(root)).run(["status", "--porcelain", "-z"]);

    expect(status.toString()).toBe("?? .gitattributes\0");
  });
});

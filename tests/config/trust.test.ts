import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  fileHashes,
  layerTrust,
  readProjectFiles,
  seenStore,
  trustStore,
  type TrustRecord,
} from "../../src/config/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";

const since = "2026-01-02T03:04:05.000Z";
const files = {
  ".kit/kit.yaml": "max_calls: 3\n",
  ".kit/agents/coder.md": "---\nname: coder\n---\n",
  ".kit/memory/ports.md": "The port comes from PORT.\n",
};

/** A repository with a layer, and the record of somebody who trusts it as it is. */
async function trusted(): Promise<{ root: string; record: TrustRecord }> {
  const root = temporaryFolder();
  writeFiles(root, files);
  const layer = { since, files: fileHashes(await readProjectFiles(root)) };
  return { root, record: { root, layer, commands: [], scripts: {} } };
}

describe("a trusted project layer", () => {
  test("stays trusted while no file of it changes, whatever runs leave beside it", async () => {
    const { root, record } = await trusted();
    writeFiles(root, { ".kit/runs/1/receipt.json": "{}", ".kit/lock": "", "src/x.js": "" });

    expect(layerTrust(await readProjectFiles(root), record)).toEqual({ state: "trusted", since });
  });

  const changes: readonly (readonly [string, (kit: string) => void, string])[] = [
    ["its content", (kit) => writeFileSync(join(kit, "kit.yaml"), ""), "kit.yaml changed"],
    [
      "a byte order mark",
      (kit) => writeFileSync(join(kit, "kit.yaml"), "\uFEFFmax_calls: 3\n"),
      "kit.yaml changed",
    ],
    ["a new file", (kit) => writeFileSync(join(kit, "routing.yaml"), ""), "routing.yaml is new"],
    [
      "a file that is gone",
      (kit) => rmSync(join(kit, "agents/coder.md")),
      "agents/coder.md is gone",
    ],
    ["a new fact", (kit) => writeFileSync(join(kit, "memory/b.md"), ""), "memory/b.md is new"],
  ];

  test.each(changes)("asks again for %s", async (_, change, said) => {
    const { root, record } = await trusted();
    change(join(root, ".kit"));

    const trust = layerTrust(await readProjectFiles(root), record);

    expect(trust).toEqual({ state: "changed", since, changes: [said] });
  });

  test("is used as it was read, not as it is by then", async () => {
    const { root, record } = await trusted();
    const content = await readProjectFiles(root);
    writeFiles(root, { ".kit/kit.yaml": "max_calls: 900\n" });

    expect(layerTrust(content, record).state).toBe("trusted");
    expect(content.files.get("kit.yaml")).toEqual({
      kind: "bytes",
      bytes: Buffer.from("max_calls: 3\n"),
    });
  });
});

describe("a layer that nobody can trust", () => {
  const odd: readonly (readonly [string, (file: string) => void, string])[] = [
    ["a link out of the repository", (file) => symlinkSync("/etc/hostname", file), "leads out"],
    ["a link to nowhere", (file) => symlinkSync("none", file), "leads to nowhere"],
    ["a pipe", (file) => execFileSync("mkfifo", [file]), "not a regular file"],
    ["a folder", (file) => mkdirSync(file), "not a regular file"],
    ["too much text", (file) => writeFileSync(file, "x".repeat(300_000)), "256 KiB"],
  ];

  test.each(odd)("holds %s", async (_, put, reason) => {
    const root = temporaryFolder();
    mkdirSync(join(root, ".kit"));
    put(join(root, ".kit", "kit.yaml"));

    expect(layerTrust(await readProjectFiles(root), undefined)).toEqual({
      state: "refused",
      reasons: [expect.stringContaining(reason)],
    });
  });

  test("is a link out of the repository itself", async () => {
    const outside = temporaryFolder();
    writeFiles(outside, { "kit.yaml": "" });
    const root = temporaryFolder();
    symlinkSync(outside, join(root, ".kit"));

    expect(layerTrust(await readProjectFiles(root), undefined).state).toBe("refused");
  });
});

describe("what is trusted", () => {
  const recordOf = (root: string): TrustRecord => ({
    root,
    layer: { since, files: { "kit.yaml": "abc" } },
    commands: [{ command: "make check", since }],
    scripts: { "package.json": "node --test" },
  });

  test("is kept for the user alone, by the repository's path", async () => {
    const state = join(temporaryFolder(), "state");
    const [root, other] = [temporaryFolder(), temporaryFolder()];
    const store = trustStore(state);

    await store.write(recordOf(root));

    expect(await store.read(root)).toMatchObject(recordOf(root));
    expect(await store.read(other)).toBeUndefined();
    expect(await store.list()).toMatchObject([{ root }]);
    expect(statSync(state).mode & 0o777).toBe(0o700);
  });

  test("can be taken back, also by whom nothing is left to read", async () => {
    const store = trustStore(temporaryFolder());
    await store.write(recordOf("/gone"));

    expect(await store.remove("/gone")).toBe(true);
    expect(await store.remove("/gone")).toBe(false);
    expect(await store.list()).toEqual([]);
  });

  test("comes back by no run: what ran is kept apart", async () => {
    const state = temporaryFolder();
    await seenStore(state).write({ root: "/r", scripts: { "package.json": "x" } });

    expect(await trustStore(state).read("/r")).toBeUndefined();
  });

  test("is never kept in the repository it speaks of, nor believed there", async () => {
    const root = temporaryFolder();
    const inside = join(root, "state");
    const link = join(temporaryFolder(), "state");
    const elsewhere = temporaryFolder();
    await trustStore(elsewhere).write(recordOf(root));
    execFileSync("cp", ["-r", elsewhere, inside]);
    symlinkSync(inside, link);

    for (const folder of [inside, link]) {
      expect(await trustStore(folder).read(root)).toBeUndefined();
      await expect(trustStore(folder).write(recordOf(root))).rejects.toMatchObject({
        kind: "environment",
      });
    }
    expect(await trustStore(elsewhere).read(root)).toBeDefined();
  });

  test("is nothing where others could have written it, or where it is damaged", async () => {
    const state = temporaryFolder();
    const store = trustStore(state);
    await store.write(recordOf("/r"));
    chmodSync(join(state, "trust"), 0o777);
    expect(await store.read("/r")).toBeUndefined();
    chmodSync(join(state, "trust"), 0o700);
    expect(await store.read("/r")).toBeDefined();

    const [name = ""] = execFileSync("ls", [join(state, "trust")], { encoding: "utf8" }).split(
      "\n",
    );
    for (const text of ["", "{", '{"version": 2}', "[]"]) {
      writeFileSync(join(state, "trust", name), text);
      expect(await store.read("/r")).toBeUndefined();
    }
  });
});

import { describe, expect, it } from "vitest";
import { memoryTree, parseReply, planChanges, type MemoryFile } from "../../src/changes/index.ts";
import { parseRepoPath, type RepoPath } from "../../src/contracts/index.ts";
import { outcomeOf, resultOf } from "./support/outcome.ts";
import { writeScope } from "./support/scope.ts";

/** What public bug reports against other tools show, with the right result (kinds d and e of the collection). */
describe("paths that lead elsewhere", () => {
  /** Reads and plans a reply whose pack holds the very path it writes. */
  async function writtenPaths(path: string, reply: string): Promise<readonly string[]> {
    const parsed = parseRepoPath(path);
    const paths = new Map<RepoPath, "new">(parsed.ok ? [[parsed.path, "new"]] : []);
    const never = (): boolean => false;
    const scope = { paths, root: "/home/someone/project", isTracked: never, mayCreate: never };
    const read = parseReply(reply, scope);
    if (!read.ok) return [];
    const planned = await planChanges(read.changeSet, memoryTree({}), writeScope());
    return planned.ok ? planned.plan.operations.map((operation) => operation.path) : [];
  }

  it.each([
    "../escape.txt",
    "src/../../escape.txt",
    "/tmp/kit-abs.txt",
    "~/kit-home.txt",
    "C:\\kit.txt",
    "C:/kit.txt",
    "\\\\host\\share\\x",
    "..\\escape.txt",
    "file:///tmp/kit-abs.txt",
    "/home/someone/project-evil/x.txt",
    "a/./b//c.txt",
    ".",
    "",
    "src/",
    "nul\u0000l.txt",
    "src/x.js:stream",
    ".git/config",
    ".GIT/hooks/pre-commit",
  ])("are refused although the pack says the same: %j", async (path) => {
    expect(await writtenPaths(path, `FILE: ${path}\n\`\`\`txt\nx\n\`\`\`\n`)).toEqual([]);
    expect(await writtenPaths(path, `=== FILE: ${path} ===\nx\n=== END ===\n`)).toEqual([]);
  });

  it.each(["$HOME/kit.txt", "%2e%2e/escape.txt"])("are never expanded: %s", async (path) => {
    const written = await writtenPaths(path, `=== FILE: ${path} ===\nx\n=== END ===\n`);

    expect(written.filter((found) => found !== path)).toEqual([]);
  });

  it("with backslashes are paths of the pack or nothing", async () => {
    const reply = "=== FILE: src\\win.js ===\nx\n=== END ===\n";

    expect(await resultOf(reply, {}, { create: ["src/win.js"] })).toEqual({ "src/win.js": "x\n" });
    expect(await resultOf(reply, { "a.js": "a\n" })).toBe("out_of_scope");
  });
});

describe("half of an answer", () => {
  it("is never taken when a later block cannot be", async () => {
    const tree = { "src/math.js": "old\n", "src/b.js": "b\n" };
    const reply =
      "FILE: src/math.js\n```js\nnew\n```\nFILE: ../out.js\n```js\nx\n```\nFILE: src/b.js\n```js\nb2\n```\n";

    const outcome = await outcomeOf(reply, tree);
    expect(outcome).toMatchObject({
      ok: false,
      failure: { kind: "out_of_scope", paths: ["../out.js"] },
    });
  });
});

describe("a very large file", () => {
  it("is edited in its one line, and is not replaced by a stump", async () => {
    const before = `ANCHOR = 0\n${"filler line 0123456789\n".repeat(100_000)}`;
    const edit =
      "=== EDIT: big.txt ===\n<<<<<<< SEARCH\nANCHOR = 0\n=======\nANCHOR = 1\n>>>>>>> REPLACE\n=== END ===\n";
    const stump = "=== FILE: big.txt ===\nANCHOR = 1\n=== END ===\n";

    const result = await resultOf(edit, { "big.txt": before });
    expect(result).toEqual({ "big.txt": before.replace("0", "1") });
    expect(await resultOf(stump, { "big.txt": before })).toBe("apply");
  });
});

describe("a file of the user", () => {
  const reply = (path: string): string =>
    `FILE: ${path}\n\`\`\`txt\nx\n\`\`\`\nFILE: ok.txt\n\`\`\`txt\ny\n\`\`\`\n`;
  const tree: Record<string, MemoryFile> = {
    "logo.png": Buffer.from("iVBORw0KGgoAAAAN", "base64"),
    "victim.txt": { kind: "link", target: "../outside/victim.txt" },
    outbox: { kind: "link", target: "../outside" },
    "late.js": "made by someone else\n",
    "ok.txt": "ok\n",
  };

  it.each([
    ["binary", "logo.png", "existing", "the file is binary"],
    ["a link", "victim.txt", "existing", "is a link to ../outside/victim.txt"],
    ["behind a link", "outbox/a.txt", "new", "outbox is a link to ../outside"],
    ["there since the pack was made", "late.js", "new", "the file exists by now"],
  ] as const)(
    "that is %s is named and left alone, and all others with it",
    async (_, path, state, reason) => {
      const paths = new Map<RepoPath, "existing" | "new">();
      for (const [text, kind] of [
        [path, state],
        ["ok.txt", "existing"],
      ] as const) {
        const parsed = parseRepoPath(text);
        if (parsed.ok) paths.set(parsed.path, kind);
      }
      const never = (): boolean => false;
      const read = parseReply(reply(path), {
        paths,
        root: "/r",
        isTracked: never,
        mayCreate: never,
      });
      const newPaths = new Set(
        [...paths].filter(([, kind]) => kind === "new").map(([text]) => text),
      );
      const planned = read.ok
        ? await planChanges(read.changeSet, memoryTree(tree), writeScope({ newPaths }))
        : read;

      expect(planned).toMatchObject({
        ok: false,
        failure: { kind: "apply", blocks: [{ path, reason: expect.stringContaining(reason) }] },
      });
    },
  );
});

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../support/repository.ts";

const root = join(import.meta.dirname, "..", "..");
const dist = join(root, "dist");
const strictly =
  "--noEmit --strict --exactOptionalPropertyTypes --target es2024 --module nodenext --types node";

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

function packedPaths(): string[] {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const printed = execFileSync("npm", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [packed] = JSON.parse(printed) as Packed[];
  return (packed?.files ?? []).map(({ path }) => path);
}

test("the package carries what kit needs to run and to show itself, and nothing else", () => {
  const paths = packedPaths();

  for (const needed of [
    "bin/kit.cjs",
    "agents/coder.md",
    "agents/scout.md",
    "routing/routing.yaml",
    "adapters/pi/models.yaml",
    "fixtures/demo-repo/package.json",
    "fixtures/model-server/main.ts",
    "LICENSE",
    "README.md",
    "CHANGELOG.md",
    "THIRD-PARTY-NOTICES.md",
    "docs/commands.md",
    "docs/schemas/run.schema.json",
  ]) {
    expect(paths).toContain(needed);
  }
  expect(paths.filter((path) => /^(src|tests|scripts|\.)/.test(path))).toEqual([]);
});

test("the lockfile names no place to download from, and every version is pinned", () => {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly dependencies?: unknown;
    readonly devDependencies: Readonly<Record<string, string>>;
  };

  expect(lock).not.toContain('"resolved"');
  expect(manifest.dependencies).toBeUndefined();
  for (const [name, version] of Object.entries(manifest.devDependencies)) {
    expect(`${name} ${version}`).toMatch(/ \d+\.\d+\.\d+$/);
  }
});

describe.skipIf(!existsSync(dist))("the built package (npm run build)", () => {
  test("a strict consumer type-checks against its types, without any of kit's dependencies", () => {
    const consumer = temporaryFolder();
    const installed = join(consumer, "node_modules", "capkit");
    mkdirSync(join(consumer, "node_modules", "@types"), { recursive: true });
    symlinkSync(join(root, "node_modules/@types/node"), join(consumer, "node_modules/@types/node"));
    cpSync(join(dist, "types"), join(installed, "dist", "types"), { recursive: true });
    cpSync(join(root, "package.json"), join(installed, "package.json"));
    writeFiles(consumer, {
      "package.json": '{ "type": "module" }',
      "use.ts": [
        'import { type Failure, KitError, listRuns, type OutcomeKind } from "capkit";',
        "export const outcome: OutcomeKind = 'success';",
        "export const failure: Failure = { kind: 'auth', message: 'signed out' };",
        "export const error: Error = new KitError('usage', 'no');",
        "const runs = await listRuns('/x');",
        "export const ids: string[] = runs.map(({ id }) => id);",
        "// @ts-expect-error: not an outcome",
        "export const wrong: OutcomeKind = 'sucess';",
      ].join("\n"),
    });

    const checked = spawnSync(
      process.execPath,
      [join(root, "node_modules/typescript/bin/tsc"), ...strictly.split(" "), "use.ts"],
      { cwd: consumer, encoding: "utf8" },
    );

    expect(checked.stdout).toBe("");
    expect(checked.status).toBe(0);
  });

  test("the library can be imported from the bundle", () => {
    const script = "import('./dist/index.js').then((kit) => console.log(kit.kitVersion()))";

    const printed = execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });

    expect(printed).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

import { userInfo } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { configLayers, packageRoot } from "../../src/config/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";

describe("the folder of the package", () => {
  test("is the same from the sources and from a bundle", () => {
    const root = temporaryFolder();
    writeFiles(root, {
      "routing/routing.yaml": "",
      "src/config/layers.ts": "",
      "dist/chunk.js": "",
    });

    const found = ["src/config/layers.ts", "dist/chunk.js"].map((file) =>
      packageRoot(pathToFileURL(join(root, file)).href),
    );

    expect(found).toEqual([root, root]);
  });

  test("that lost its files is an environment error", () => {
    const file = pathToFileURL(join(temporaryFolder(), "dist", "chunk.js")).href;

    expect(() => packageRoot(file)).toThrow(expect.objectContaining({ kind: "environment" }));
  });
});

describe("the layers", () => {
  test("lie in the package, in the user's folder and in the repository", () => {
    const layers = configLayers({
      packageRoot: "/package",
      repositoryRoot: "/repo",
      env: { KIT_CONFIG_DIR: "/mine" },
    });

    expect(layers).toEqual([
      { layer: "shipped", folder: "/package" },
      { layer: "user", folder: "/mine" },
      { layer: "project", folder: "/repo/.kit" },
    ]);
  });

  test.for([
    [{ KIT_CONFIG_DIR: "/mine", XDG_CONFIG_HOME: "/xdg", HOME: "/home/me" }, "/mine"],
    [{ XDG_CONFIG_HOME: "/xdg", HOME: "/home/me" }, "/xdg/kit"],
    [{ KIT_CONFIG_DIR: "", XDG_CONFIG_HOME: "", HOME: "/home/me" }, "/home/me/.config/kit"],
    [{ XDG_CONFIG_HOME: "relative", HOME: "/home/me" }, "/home/me/.config/kit"],
    [{}, join(userInfo().homedir, ".config", "kit")],
  ] as const)("with %j the user's folder is %s", ([env, folder]) => {
    const layers = configLayers({ packageRoot: "/package", repositoryRoot: "/repo", env });

    expect(layers[1]?.folder).toBe(folder);
  });
});

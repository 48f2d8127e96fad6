import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { describe, expect, test } from "vitest";
import { piEnvironment } from "../../../src/adapters/pi/environment.ts";
import { cacheFolder, systemPromptFile } from "../../../src/adapters/private-folder.ts";
import { KitError } from "../../../src/contracts/index.ts";
import { homeFolder } from "../../../src/lib/home-folder.ts";
import { temporaryFolder } from "../../support/repository.ts";

const notWhole = [undefined, "", ".", "home/joe", "~"];

describe("the user's home", () => {
  test("is HOME where it is a whole path", () => {
    expect(homeFolder({ HOME: "/home/joe" })).toBe("/home/joe");
  });

  test.each(notWhole)("is the password database's with HOME=%j", (home) => {
    expect(homeFolder({ HOME: home })).toBe(userInfo().homedir);
  });

  test.each(notWhole)("pi is told a whole path with HOME=%j", (home) => {
    expect(isAbsolute(piEnvironment({ HOME: home }).HOME ?? "")).toBe(true);
  });
});

describe("the cache folder", () => {
  test("is below XDG_CACHE_HOME, by default below the home", () => {
    expect(cacheFolder({ XDG_CACHE_HOME: "/c", HOME: "/h" }, "pi")).toBe("/c/kit/pi");
    expect(cacheFolder({ HOME: "/h" }, "pi")).toBe("/h/.cache/kit/pi");
  });

  test.each(notWhole)("is a whole path with HOME and XDG_CACHE_HOME set to %j", (value) => {
    const folder = cacheFolder({ HOME: value, XDG_CACHE_HOME: value }, "pi");

    expect(folder).toBe(join(userInfo().homedir, ".cache/kit/pi"));
  });
});

describe("the system prompt's file", () => {
  test("is named by a whole path, and is there", async () => {
    const { file, remove } = await systemPromptFile(temporaryFolder(), "Be brief.", 0);

    expect(isAbsolute(file)).toBe(true);
    expect(statSync(file).isFile()).toBe(true);
    await remove();
  });

  test("is refused in a folder that is no whole path: pi would take the path for the prompt", async () => {
    await expect(systemPromptFile("kit/pi", "Be brief.", 0)).rejects.toBeInstanceOf(KitError);
  });
});

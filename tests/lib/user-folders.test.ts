import { resolve } from "node:path";
import { expect, test } from "vitest";
import { userConfigFolder, userStateFolder } from "../../src/lib/user-folders.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const places: readonly (readonly [title: string, env: Environment, folder: string])[] = [
  [
    "the variable of kit's own wins",
    { KIT_STATE_DIR: "/k", XDG_STATE_HOME: "/x", HOME: "/h" },
    "/k",
  ],
  ["a relative one is meant from here", { KIT_STATE_DIR: "k", HOME: "/h" }, resolve("k")],
  ["an empty one says nothing", { KIT_STATE_DIR: "", XDG_STATE_HOME: "/x", HOME: "/h" }, "/x/kit"],
  ["a relative XDG folder is none", { XDG_STATE_HOME: "x", HOME: "/h" }, "/h/.local/state/kit"],
  ["the user's home otherwise", { HOME: "/h" }, "/h/.local/state/kit"],
];

test.each(places)("of the folder of the user's state %s", (_, env, folder) => {
  expect(userStateFolder(env)).toBe(folder);
});

test("configuration and state are two folders of the same home", () => {
  expect(userConfigFolder({ HOME: "/h" })).toBe("/h/.config/kit");
});

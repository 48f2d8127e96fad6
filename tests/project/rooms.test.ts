import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, test } from "vitest";

const src = join(import.meta.dirname, "..", "..", "src");

/** Who may import whom, as the table of modules says it. `lib` and `contracts` know nobody. */
const mayImport: Readonly<Record<string, readonly string[] | "everything">> = {
  cli: "everything",
  pipeline: "everything",
  config: ["contracts", "lib"],
  agents: ["contracts", "lib"],
  routing: ["contracts", "lib"],
  survey: ["contracts", "lib"],
  "context-pack": ["contracts", "lib"],
  adapters: ["contracts", "lib"],
  changes: ["contracts", "lib"],
  gate: ["contracts", "lib"],
  runs: ["contracts", "lib"],
  memory: ["contracts", "lib"],
  review: ["contracts", "lib"],
  isolation: ["contracts", "lib"],
  telemetry: ["contracts", "lib"],
  "pi-settings": ["contracts", "lib"],
  report: ["contracts", "lib"],
  contracts: [],
  lib: [],
};

interface Import {
  readonly from: string;
  readonly line: number;
  readonly fromRoom: string;
  readonly toRoom: string;
  /** Path inside the room that is imported. */
  readonly target: string;
}

function sourceFiles(): string[] {
  const names = readdirSync(src, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => join(src, name));
}

/** The relative imports and exports of a file, dynamic and type-only ones too. */
function importsOf(file: string): Import[] {
  const from = relative(src, file);
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((text, index) => {
      const specifiers = [...text.matchAll(/(?:from|import|import\()\s*"(\.[^"]*)"/g)];
      return specifiers.map(([, specifier = ""]): Import => {
        const [toRoom = "", ...rest] = relative(src, resolve(dirname(file), specifier)).split(sep);
        const [fromRoom = ""] = from.split(sep);
        return { from, line: index + 1, fromRoom, toRoom, target: rest.join("/") };
      });
    });
}

const imports = sourceFiles().flatMap(importsOf);
// `kit demo` carries the scripted model server of fixtures, which is no room.
const across = imports.filter(({ fromRoom, toRoom }) => fromRoom !== toRoom && toRoom !== "..");
const place = ({ from, line, toRoom, target }: Import): string =>
  `${from}:${line} imports ${toRoom}/${target}`;

describe("rooms", () => {
  test("every folder of src is a room of the table", () => {
    const folders = readdirSync(src, { withFileTypes: true }).filter((each) => each.isDirectory());

    const unknown = folders.map(({ name }) => name).filter((name) => !(name in mayImport));

    expect(unknown).toEqual([]);
  });

  test("each imports only the rooms the table allows", () => {
    const forbidden = across.filter(({ fromRoom, toRoom }) => {
      if (fromRoom === "index.ts") return false;
      const allowed = mayImport[fromRoom] ?? [];
      if (toRoom === "cli") return true;
      return allowed !== "everything" && !allowed.includes(toRoom);
    });

    expect(forbidden.map(place)).toEqual([]);
  });

  test("another room is entered by its index; lib has one door a file or folder", () => {
    const byTheWindow = across.filter(({ toRoom, target, fromRoom }) => {
      // The library names modules, to keep zod out of its types (src/index.ts says why).
      if (fromRoom === "index.ts") return false;
      if (toRoom === "lib") return !/^[^/]+(\.ts|\/index\.ts)$/.test(target);
      return target !== "index.ts";
    });

    expect(byTheWindow.map(place)).toEqual([]);
  });

  test.each(Object.keys(mayImport).filter((room) => room !== "lib" && room !== "cli"))(
    "%s opens with what it answers and what it leaves to others",
    (room) => {
      const index = readFileSync(join(src, room, "index.ts"), "utf8");

      const opening = index.split("\n").slice(0, 5).join("\n");

      expect(opening).toMatch(/^\/\*\*\n( \* .+\n){3} \*\/$/);
    },
  );
});

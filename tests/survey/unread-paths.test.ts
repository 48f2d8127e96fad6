import fc from "fast-check";
import { expect, test } from "vitest";
import type { RepoPath } from "../../src/contracts/index.ts";
import { isSecretFile } from "../../src/lib/redaction.ts";
import { unreadBecause } from "../../src/survey/unread.ts";
import { UnreadPaths } from "../../src/survey/unread-paths.ts";
import { repository } from "../support/repository.ts";
import { survey, surveyWithGit } from "./support.ts";
import { folderWith } from "./support.ts";

const folders = ["src", ".ssh", ".aws", "Vendor", "dist", ".config", "gh", "a b", "ä", ".kube"];
const starts = ["", ".", "id_rsa", "ID_RSA", ".env", "a", "secrets", "x_pb2", "x-min", "config"];
const ends = [
  "",
  ".ts",
  ".PEM",
  ".env",
  ".json",
  ".min.js",
  ".pb.go",
  ".ts.pub",
  ".example",
  ".d.ts",
];

test("the quick way to judge paths says what the rules say", () => {
  const path = fc
    .tuple(
      fc.array(fc.constantFrom(...folders), { maxLength: 3 }),
      fc.constantFrom(...starts),
      fc.constantFrom(...ends),
    )
    .map(([above, start, end]) => [...above, `${start}${end}` || "x"].join("/") as RepoPath);

  fc.assert(
    fc.property(fc.array(path, { maxLength: 8 }), (paths) => {
      const unread = new UnreadPaths();
      for (const each of paths) {
        const reason = unread.reasonOf(each);
        expect(reason === "secret file").toBe(isSecretFile(each));
        expect(reason === undefined).toBe(!isSecretFile(each) && unreadBecause(each) === undefined);
      }
    }),
    { numRuns: 500 },
  );
});

const secret = "xylophone-9f3b";

const hostile = {
  ".env": `PHRASE=${secret}\n`,
  "deep/.ENV.Production": `PHRASE=${secret}\n`,
  "keys/ID_RSA": `${secret} add\n`,
  ".ssh/add.ts": `${secret} add\n`,
  "ä ö/.npmrc": `add=${secret}\n`,
  "add/`echo`.pem": `${secret}\n`,
  "vendor/add.js": `add("${secret}");\n`,
  "dist/add.js": `add("${secret}");\n`,
  "add.min.js": `add("${secret}");\n`,
  "add_pb2.py": `add("${secret}")\n`,
  "add.lock.bin": `add ${secret}\n`,
  "add-pointer.csv": `version https://git-lfs.github.com/spec/v1\noid ${secret}\n`,
  "AGENTS.md": `Deploy with password = "${secret}-Zq81"\n`,
  "src/add.js": `// add\nconst dbPassword = "${secret}-Zq81";\nadd();\n`,
};

test.each(["git", "no git"])(
  "of secret, vendored, generated and binary files nothing is shown, whatever their names (%s)",
  async (kind) => {
    const root = kind === "git" ? repository(hostile) : folderWith(hostile);
    const found = await (kind === "git" ? surveyWithGit(root, "add") : survey(root, "add"));

    const shown = JSON.stringify([found.excerpts, found.rules, found.packages]);
    const unsaid = Object.keys(hostile).filter(
      (path) =>
        path !== "AGENTS.md" &&
        path !== "src/add.js" &&
        !found.leftOut.some((each) => each.path === path),
    );

    expect(shown).not.toContain(secret);
    expect(shown).toContain("add();");
    // A walk does not even enter folders of what was built.
    expect(unsaid).toEqual(kind === "git" ? [] : ["dist/add.js"]);
    expect(found.files.filter((path) => isSecretFile(path))).toEqual([]);
  },
);

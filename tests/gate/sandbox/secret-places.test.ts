import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  credentialFiles,
  credentialFolders,
  credentialVariables,
  movedPlaces,
} from "../../../src/gate/sandbox/credential-list.ts";
import { secretPlaces } from "../../../src/gate/sandbox/secret-places.ts";
import { temporaryFolder, writeFiles } from "../../support/repository.ts";

/** Where tools of today keep what lets somebody else be their user. */
const known = [
  ".cursor/auth.json",
  ".continue/config.json",
  ".qwen/oauth_creds.json",
  ".factory/auth.json",
  ".claude.json",
  ".claude/.credentials.json",
  ".codex/auth.json",
  ".config/github-copilot/hosts.json",
  ".aider.conf.yml",
  ".config/goose/secrets.yaml",
  ".config/glab-cli/config.yml",
  ".pulumi/credentials.json",
  ".kaggle/kaggle.json",
  ".huggingface/token",
  ".cache/huggingface/token",
  ".databrickscfg",
  ".terraformrc",
  ".sbt/.credentials",
  ".ivy2/.credentials",
  ".config/solana/id.json",
  ".ollama/id_ed25519",
  ".smbcredentials",
  ".config/Bitwarden CLI/data.json",
  ".config/1Password/settings/settings.json",
  ".config/stripe/config.toml",
  ".tsh/keys/a",
  ".msmtprc",
  ".viminfo",
  ".lesshst",
  ".cargo/credentials.toml",
  ".ssh/id_rsa",
  ".local/share/keyrings/login.keyring",
  ".config/gh/hosts.yml",
  ".docker/config.json",
];

/** What tests need of the same folders. */
const needed = [
  ".cargo/registry/index/x",
  ".cargo/bin/cargo",
  ".cache/pip/x",
  ".cache/go-build/x",
  ".cache/huggingface/hub/models/x",
  ".cache/uv/x",
  ".npm/_cacache/x",
  ".local/share/pnpm/store/x",
  ".local/share/virtualenvs/x",
  ".config/fish/config.fish",
  ".ollama/models/x",
  ".ivy2/cache/x",
  ".sbt/boot/x",
  ".pulumi/bin/x",
  ".cursor/extensions/x",
];

/** Those of `files` that no place of the environment covers. */
function readable(env: Readonly<Record<string, string>>, files: readonly string[]): string[] {
  const places = secretPlaces(env).map(({ path }) => path);
  return files.filter((file) => {
    const real = realpathSync(file);
    return !places.some((place) => real === place || real.startsWith(`${place}/`));
  });
}

function write(folder: string, files: readonly string[]): string[] {
  writeFiles(folder, Object.fromEntries(files.map((file) => [file, "planted-EXAMPLE\n"])));
  return files.map((file) => join(folder, file));
}

describe("places with credentials", () => {
  test("are hidden wherever a tool keeps them, and its caches and programs are not", () => {
    const home = temporaryFolder();
    const secret = write(home, known);
    const caches = write(home, needed);

    expect(readable({ HOME: home }, secret)).toEqual([]);
    expect(readable({ HOME: home }, caches)).toEqual(caches);
  });

  test("are all found of the list, each by itself", () => {
    const home = temporaryFolder();
    const folders = write(
      home,
      credentialFolders.map((folder) => `${folder}/deep/x`),
    );
    const files = write(home, credentialFiles);

    expect(readable({ HOME: home }, [...folders, ...files])).toEqual([]);
  });

  test.each(movedPlaces)("below ~/%s are hidden where %s moves them, too", (place, variable) => {
    const home = temporaryFolder();
    const moved = temporaryFolder();
    const of = (paths: readonly string[]): string[] =>
      paths.filter((path) => path.startsWith(`${place}/`));
    const files = [...of(credentialFolders).map((folder) => `${folder}/x`), ...of(credentialFiles)];
    const inside = files.map((file) => file.slice(place.length + 1));
    const env = { HOME: home, [variable]: moved };

    expect(readable(env, write(moved, inside))).toEqual([]);
    expect(readable(env, write(home, files))).toEqual([]);
  });

  test.each(["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GNUPGHOME", "PASSWORD_STORE_DIR"])(
    "are a whole folder where %s names one",
    (variable) => {
      const moved = temporaryFolder();

      expect(readable({ HOME: temporaryFolder(), [variable]: moved }, write(moved, ["x"]))).toEqual(
        [],
      );
    },
  );

  test("are where a variable names files, one or several", () => {
    const home = temporaryFolder();
    const folder = temporaryFolder();
    for (const variable of credentialVariables) {
      const [one = "", two = ""] = write(folder, [`${variable}-1`, `${variable}-2`]);
      expect(readable({ HOME: home, [variable]: one }, [one])).toEqual([]);
      expect(readable({ HOME: home, [variable]: `${one}:${two}` }, [one, two])).toEqual([]);
    }
  });

  test("are never the home itself, whatever a variable names", () => {
    const home = temporaryFolder();
    const link = join(temporaryFolder(), "link");
    symlinkSync(home, link);
    mkdirSync(join(home, "project"));

    for (const named of [home, link, join(home, ".."), "/"]) {
      const env = { HOME: home, CODEX_HOME: named, DOCKER_CONFIG: named };
      expect(readable(env, [join(home, "project")]).map((path) => basename(path))).toEqual([
        "project",
      ]);
    }
  });

  test("hold back the tokens of yarn's configuration, and leave the rest", () => {
    const home = temporaryFolder();
    const text =
      "nodeLinker: node-modules\nnpmAuthIdent: joe:opensesame\nnpmAuthToken: abc1234567\n";
    writeFiles(home, { ".yarnrc.yml": text });

    expect(secretPlaces({ HOME: home })).toEqual([
      {
        kind: "file",
        path: realpathSync(join(home, ".yarnrc.yml")),
        standIn: "nodeLinker: node-modules\nnpmAuthIdent: [redacted]\nnpmAuthToken: [redacted]\n",
      },
      ...secretPlaces({ HOME: temporaryFolder() }),
    ]);
  });
});

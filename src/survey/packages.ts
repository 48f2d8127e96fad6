import type { RankedFile, RepositoryPackage, RepoPath } from "../contracts/index.ts";
import { decodeUtf8 } from "../lib/text.ts";
import type { FileTable } from "./file-table.ts";
import type { RepositoryReader } from "./reading.ts";
import { UnreadPaths } from "./unread-paths.ts";

/** A file that makes its folder a package, and where its name stands in it. */
interface Manifest {
  readonly file: RegExp;
  readonly example: string;
  /** The first group is the name; absent: the folder's name serves. */
  readonly name?: RegExp;
}

/** The first row that a folder has a file of tells its manifest. */
export const manifests: readonly Manifest[] = [
  { file: /^package\.json$/, example: "package.json", name: /^\s*"name"\s*:\s*"([^"\n]+)"/m },
  {
    file: /^Cargo\.toml$/,
    example: "Cargo.toml",
    name: /^\[package\][^[]*?^name\s*=\s*"([^"\n]+)"/ms,
  },
  { file: /^go\.mod$/, example: "go.mod", name: /^module\s+(\S+)/m },
  {
    file: /^pyproject\.toml$/,
    example: "pyproject.toml",
    name: /^\[(?:project|tool\.poetry)\][^[]*?^name\s*=\s*"([^"\n]+)"/ms,
  },
  { file: /^setup\.(?:py|cfg)$/, example: "setup.cfg", name: /\bname\s*=\s*["']?([\w.-]+)/ },
  {
    // Its own, not its parent's.
    file: /^pom\.xml$/,
    example: "pom.xml",
    name: /^(?:(?!<parent>).)*?(?:<parent>.*?<\/parent>.*?)?<artifactId>([^<\n]+)<\/artifactId>/s,
  },
  { file: /^build\.(?:gradle(?:\.kts)?|sbt)$/, example: "build.gradle.kts" },
  { file: /\.(?:cs|fs|vb)proj$/, example: "Shop.csproj" },
  { file: /^composer\.json$/, example: "composer.json", name: /^\s*"name"\s*:\s*"([^"\n]+)"/m },
  { file: /\.gemspec$/, example: "shop.gemspec", name: /\.name\s*=\s*["']([^"'\n]+)["']/ },
  { file: /^mix\.exs$/, example: "mix.exs", name: /\bapp:\s*:(\w+)/ },
  { file: /^pubspec\.yaml$/, example: "pubspec.yaml", name: /^name:\s*(\S+)/m },
  { file: /^Package\.swift$/, example: "Package.swift", name: /\bname:\s*"([^"\n]+)"/ },
  { file: /^deno\.jsonc?$/, example: "deno.json", name: /^\s*"name"\s*:\s*"([^"\n]+)"/m },
];

/** A quick no for nearly every file. */
const anyManifest = new RegExp(manifests.map(({ file }) => `(?:${file.source})`).join("|"));

/** Manifests of samples and test data are texts like any other. */
const noPackage =
  /(?:^|\/)(?:fixtures?|__fixtures__|testdata|test-data|tests?|__tests__|specs?|examples?|samples?|demos?|templates?|__mocks__)\//;

/** A name that is shown as it stands: what else a manifest holds there is no name. */
const soundName = /^[\w@][\w@./:+-]{0,100}$/;

/** Packages of one task; the ranked files that speak for them. */
const maxPackages = 3;
const speaking = 12;

/**
 * The packages that the best ranked files lie in, the likeliest first; none where the repository
 * is one package.
 */
export function packagesOf(
  files: FileTable,
  ranked: readonly RankedFile[],
  reader: RepositoryReader,
): readonly RepositoryPackage[] {
  const manifestOf = manifestsByFolder(files);
  if (manifestOf.size < 2) return [];
  const scores = new Map<string, number>();
  for (const { path, score } of ranked.slice(0, speaking)) {
    const folder = foldersAbove(path).find((each) => manifestOf.has(each));
    if (folder !== undefined) scores.set(folder, (scores.get(folder) ?? 0) + score);
  }
  const best = Math.max(0, ...scores.values());
  return [...scores]
    .filter(([, score]) => score >= best / 4)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, maxPackages)
    .flatMap(([folder]) => {
      const manifest = manifestOf.get(folder);
      if (manifest === undefined) return [];
      const name = nameIn(manifest, reader);
      return [{ folder, manifest, ...(name !== undefined && { name }), testCommands: [] }];
    });
}

function manifestsByFolder(files: FileTable): ReadonlyMap<string, RepoPath> {
  const unread = new UnreadPaths();
  const found = new Map<string, { readonly path: RepoPath; readonly row: number }>();
  for (const path of files.paths) {
    const cut = path.lastIndexOf("/");
    const name = path.slice(cut + 1);
    if (!anyManifest.test(name) || noPackage.test(path)) continue;
    if (unread.reasonOf(path) !== undefined) continue;
    const folder = path.slice(0, Math.max(0, cut));
    const row = manifests.findIndex(({ file }) => file.test(name));
    const other = found.get(folder);
    if (other === undefined || row < other.row) found.set(folder, { path, row });
  }
  return new Map([...found].map(([folder, { path }]) => [folder, path]));
}

function nameIn(path: RepoPath, reader: RepositoryReader): string | undefined {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const pattern = manifests.find((each) => each.file.test(file))?.name;
  const read = pattern === undefined ? undefined : reader.read(path, 256 * 1024);
  const text = read?.ok === true ? decodeUtf8(read.bytes) : undefined;
  const name = text === undefined ? undefined : pattern?.exec(text)?.[1]?.trim();
  return name !== undefined && soundName.test(name) ? name : undefined;
}

/** Folders of a path, nearest first, the root (`""`) last. */
export function foldersAbove(path: string): readonly string[] {
  const segments = path.split("/").slice(0, -1);
  return [...segments.keys(), segments.length]
    .map((count) => segments.slice(0, count).join("/"))
    .reverse();
}

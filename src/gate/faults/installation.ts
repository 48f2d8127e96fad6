import { access, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readManifest } from "../commands/manifest-text.ts";

/** What a folder's manifests ask for and what of it is there, so that a message can be believed. */
export interface Installation {
  /** The command that installs the JavaScript dependencies: by lockfile. */
  readonly installNode: string;
  /** The command that installs the Python dependencies. */
  readonly installPython: string;
  /** True when a package.json from here to the root declares the package and it is not installed. */
  lacksNodePackage(name: string): boolean;
  /** True when hardly a byte is left where the tests run. */
  readonly isDiskFull: boolean;
  /** True when a Python manifest names the distribution of this module, or it is a runner. */
  declaresPythonModule(module: string): boolean;
}

/** Lockfile → the install that changes nothing. */
const nodeInstalls: readonly (readonly [file: string, command: string])[] = [
  ["pnpm-lock.yaml", "pnpm install --frozen-lockfile"],
  ["yarn.lock", "yarn install --immutable"],
  ["bun.lock", "bun install --frozen-lockfile"],
  ["bun.lockb", "bun install --frozen-lockfile"],
  ["package-lock.json", "npm ci"],
  ["npm-shrinkwrap.json", "npm ci"],
];

const pythonInstalls: readonly (readonly [file: string, command: string])[] = [
  ["uv.lock", "uv sync"],
  ["poetry.lock", "poetry install"],
  ["Pipfile.lock", "pipenv sync --dev"],
  ["requirements-dev.txt", "pip install -r requirements-dev.txt"],
  ["requirements.txt", "pip install -r requirements.txt"],
  ["pyproject.toml", "pip install -e ."],
  ["setup.py", "pip install -e ."],
];

const pythonManifests = [
  "requirements.txt",
  "requirements-dev.txt",
  "pyproject.toml",
  "setup.cfg",
  "setup.py",
  "Pipfile",
  "tox.ini",
];

/** Modules whose distribution has another name. */
const distributions: Readonly<Record<string, string>> = {
  yaml: "pyyaml",
  PIL: "pillow",
  cv2: "opencv",
  sklearn: "scikit-learn",
  bs4: "beautifulsoup4",
  dateutil: "python-dateutil",
  dotenv: "python-dotenv",
};

const pythonRunners = new Set(["pytest", "tox", "nox"]);

const fullBelowBytes = 1024 * 1024;

/** Reads the manifests of `folder` and of the folders above it up to `root`. */
export async function readInstallation(folder: string, root: string): Promise<Installation> {
  const folders = [folder];
  for (let at = folder; at.startsWith(`${root}/`); at = dirname(at)) folders.push(dirname(at));
  const text = async (file: string): Promise<string> => (await readManifest(file, root)) ?? "";
  const present = async (file: string): Promise<boolean> => {
    const seen = await Promise.all(folders.map((each) => exists(join(each, file))));
    return seen.includes(true);
  };
  const declared = new Set<string>();
  const installed = new Set<string>();
  for (const each of folders) {
    for (const name of dependencies(await text(join(each, "package.json")))) declared.add(name);
  }
  for (const name of declared) {
    if (await present(join("node_modules", name))) installed.add(name);
  }
  const manifests = await Promise.all(
    folders.flatMap((each) => pythonManifests.map((name) => text(join(each, name)))),
  );
  const python = normalized(manifests.join("\n"));
  return {
    installNode: (await firstPresent(nodeInstalls, present)) ?? "npm install",
    installPython: (await firstPresent(pythonInstalls, present)) ?? "pip install pytest",
    isDiskFull: await statfs(folder).then(
      ({ bavail, bsize }) => bavail * bsize < fullBelowBytes,
      () => false,
    ),
    lacksNodePackage: (name) => declared.has(name) && !installed.has(name),
    declaresPythonModule(module) {
      const name = normalized(distributions[module] ?? module);
      const named = new RegExp(
        `(?:^|[^a-z0-9-])${name.replaceAll(/[^a-z0-9-]/g, "")}(?:[^a-z0-9]|$)`,
      );
      return pythonRunners.has(module) || named.test(python);
    },
  };
}

async function firstPresent(
  rows: readonly (readonly [file: string, command: string])[],
  present: (file: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const [file, command] of rows) if (await present(file)) return command;
  return undefined;
}

function dependencies(manifest: string): readonly string[] {
  try {
    const value = JSON.parse(manifest) as Record<string, unknown>;
    return ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"].flatMap(
      (key) => Object.keys((value[key] as object | undefined) ?? {}),
    );
  } catch {
    return [];
  }
}

/** Distribution names compare without case, `_` and `.` (PEP 503). */
function normalized(name: string): string {
  return name.toLowerCase().replaceAll(/[_.]/g, "-");
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

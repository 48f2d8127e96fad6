/** Paths as a hostile reply may write them, by what is wrong with them; none may ever be written. */
export function hostilePaths(): ReadonlyMap<string, readonly string[]> {
  return new Map([
    ["leave the root", escapes()],
    ["are absolute or somebody's home", absolutes()],
    ["are no paths at all", malformed()],
    ["are git's own", disguisesOf(".git", ["git~1", "GIT~1", "Git~2", "git~12"])],
    ["are kit's own", disguisesOf(".kit", ["kit~1", "KIT~1"])],
    ["make other programs run something", protectedOnes()],
    ["are devices on Windows", devices()],
    ["cannot be held by Windows", unportable()],
    ["deceive the eye", deceptive()],
    ["are too long", tooLong()],
  ]);
}

const inner = ["", "src/", "a/b/c/"];
const both = (names: readonly string[]): string[] =>
  inner.flatMap((folder) => names.map((name) => `${folder}${name}`));

function escapes(): string[] {
  const ups = [
    "..",
    "../..",
    "../../..",
    "./..",
    "src/..",
    "src/../..",
    "a/../../b/..",
    "a/b/../../..",
  ];
  const ends = ["", "/escape.txt", "/.ssh/authorized_keys", "/repo-evil/x.txt", "/etc/passwd"];
  return ups
    .flatMap((up) => ends.map((end) => `${up}${end}`))
    .concat("src/..\\escape.txt", "..\\x");
}

function absolutes(): string[] {
  return [
    "/etc/passwd",
    "/tmp/x",
    "//host/share/x",
    "/",
    "/proc/self/cwd/x",
    "/dev/null",
    "/home/u/.bashrc",
    "~/x",
    "~root/.ssh/id_rsa",
    "~",
    "~/.config/kit/models.local.yaml",
    "C:\\x",
    "C:/x",
    "c:x",
    "Z:\\",
    "\\\\host\\share\\x",
    "\\\\?\\C:\\x",
    "\\\\.\\pipe\\x",
    "\\x",
    "\\",
    "file:///tmp/x",
    "FILE:/tmp/x",
    "file:x",
    "D:",
    "/..",
    "/.git/config",
    "\\..\\x",
    "\\\\?\\UNC\\host\\share\\x",
  ];
}

function malformed(): string[] {
  return [
    "",
    ".",
    "./",
    "src/",
    "a//b.txt",
    "a/./b.txt",
    "./a.txt",
    "a/.",
    "a/..",
    "a/b/",
    "//",
    "/.",
    "a/ /..",
    "nul\0l.txt",
    "\0",
    "a\0/b",
    "new\nline.txt",
    "cr\rline.txt",
    "a\r\nb",
    "\n",
    "a/\n/b",
    "src\\win.js",
    "a\\..\\b",
    "src\\",
    "a/b\\c",
    ".\\x",
  ];
}

/** The names that git's own checks know (is_hfs_dotgit, is_ntfs_dotgit), and some it need not. */
function disguisesOf(name: string, shortNames: readonly string[]): string[] {
  const upper = name.toUpperCase();
  const mixed = name.slice(0, 2) + name.slice(2).toUpperCase();
  const capital = name.charAt(0) + name.charAt(1).toUpperCase() + name.slice(2);
  const ignorable = [
    "\u200c",
    "\u200d",
    "\u200e",
    "\u200f",
    "\u202a",
    "\u202b",
    "\u202c",
    "\u202d",
    "\u202e",
    "\u206a",
    "\u206b",
    "\u206c",
    "\u206d",
    "\u206e",
    "\u206f",
    "\ufeff",
    "\u00ad",
    "\u2060",
  ];
  const hidden = ignorable.flatMap((sign) => [
    `${name}${sign}`,
    `${sign}${name}`,
    `.${sign}${name.slice(1)}`,
  ]);
  const wide = Array.from(name)
    .map((sign) => (sign === "." ? "." : String.fromCodePoint(sign.charCodeAt(0) + 0xfee0)))
    .join("");
  const tails = [".", " ", "..", ". .", "...", "::$INDEX_ALLOCATION", ":stream", "\t"].map(
    (tail) => `${name}${tail}`,
  );
  const dressed = [name, upper, mixed, capital, wide, ` ${name}`, name.replace("i", "ı")];
  const all = [...dressed, ...shortNames, ...tails, ...hidden];
  return all.flatMap((each) => [each, `${each}/config`, `sub/${each}/hooks/pre-commit`]);
}

function protectedOnes(): string[] {
  const folders = [
    ".github/workflows/ci.yml",
    ".GitHub/Workflows/ci.yml",
    ".github/workflows/deep/x.yml",
    ".github/workflows",
    ".husky/pre-commit",
    ".HUSKY/_/husky.sh",
    ".githooks/post-checkout",
    ".git-hooks/pre-push",
    ".husky",
    ".vscode/tasks.json",
    ".VSCode/settings.json",
    ".vscode",
    ".vs\u200dcode/tasks.json",
    ".npmrc",
    ".NPMRC",
    ".npm\u200brc",
    ".envrc",
    ".EnvRC",
    ".idea/workspace.xml",
    ".devcontainer/devcontainer.json",
    ".gitmodules",
    ".GITMODULES",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    ".pre-commit-config.yaml",
    ".yarnrc.yml",
    ".yarnrc",
    ".pnpmfile.cjs",
    ".github/actions/setup/action.yml",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".Claude/Settings.JSON",
    ".claude/hooks/format.sh",
    ".pi/settings.json",
    ".pi/extensions/a.ts",
    ".mcp.json",
    ".cursor/mcp.json",
    ".cursor/hooks.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    "lefthook.yml",
    ".lefthook.yaml",
    "lefthook-local.toml",
    ".lefthook/pre-commit/a.sh",
    ".simple-git-hooks.json",
    ".overcommit.yml",
    ".zed/tasks.json",
    "mise.toml",
    ".mise.toml",
    ".mise/config.toml",
    ".config/mise/config.toml",
    "Jenkinsfile",
    ".travis.yml",
    "LEFTHO~1.yml",
    "GITHUB~1/workflows/ci.yml",
    ".github/WORKFL~1/ci.yml",
    "NPMRC~1",
    "HUSKY~1/pre-commit",
    "gitmod~1",
    "vscode~1/tasks.json",
    "githoo~2/pre-push",
  ];
  return both(folders);
}

function devices(): string[] {
  const names = [
    "con",
    "prn",
    "aux",
    "nul",
    "com1",
    "com9",
    "lpt1",
    "lpt9",
    "com¹",
    "LPT³",
    "CONIN$",
    "conout$",
  ];
  const dresses = (name: string): string[] => [
    name,
    name.toUpperCase(),
    `${name}.txt`,
    `${name}.tar.gz`,
    `${name} .js`,
    `src/${name}.js`,
    `${name}/x.js`,
  ];
  return names.flatMap(dresses);
}

function unportable(): string[] {
  const signs = ["<", ">", ":", '"', "|", "?", "*"].flatMap((sign) => [
    `a${sign}b.js`,
    `${sign}.js`,
    `a${sign}`,
  ]);
  const controls = Array.from({ length: 32 }, (_, code) => `a${String.fromCharCode(code)}b.js`);
  const tails = [
    "trail.",
    "space ",
    "dots...",
    "a. ",
    "tab\t",
    "folder./x.js",
    "folder /x.js",
    "nbsp\u00a0",
    "wide\u3000",
  ];
  return [
    ...both([...signs, ...tails]),
    ...controls,
    "del\u007f.js",
    "c1\u0085.js",
    "src/x.js:stream",
    "x.js::$DATA",
  ];
}

function deceptive(): string[] {
  return both([
    "gnp.\u202etxt",
    "a\u2066b.js",
    "a\u2069.js",
    "line\u2028end.js",
    "par\u2029end.js",
    "bom\ufeff.js",
    "lone\ud800.js",
    "\udc00lone.js",
    "lossy\ufffd.js",
  ]);
}

function tooLong(): string[] {
  return [
    "x".repeat(256),
    `src/${"x".repeat(300)}.js`,
    "é".repeat(128),
    "日".repeat(86),
    "x".repeat(5000),
    "a/".repeat(2500) + "b",
    `${"d/".repeat(500)}f`,
    `${"long-folder-name/".repeat(60)}x.js`,
  ];
}

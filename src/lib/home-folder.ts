import { mkdtempSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where a user without any home is at home; one for each process. */
let homeless: string | undefined;

/**
 * The user's home, always absolute: `HOME` where it is a whole path, else what the password
 * database says, else a private folder of this process below the system's temporary one. An empty
 * or relative `HOME` would mean a place in the repository that kit was started in.
 */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { HOME: home } = env;
  if (home !== undefined && isAbsolute(home)) return home;
  const known = homeOfRecord();
  if (known !== undefined && isAbsolute(known)) return known;
  homeless ??= mkdtempSync(join(isAbsolute(tmpdir()) ? tmpdir() : "/tmp", "kit-home-"));
  return homeless;
}

/** `userInfo` asks the password database, `homedir` would give `HOME` back; an id may be in none. */
function homeOfRecord(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

import { realpath } from "node:fs/promises";
import { isInside } from "../../lib/files.ts";
import { readTextFile } from "../../lib/text-file.ts";

/**
 * The text of a manifest. Undefined where there is none that a repository can mean: a pipe, a
 * device, a link out of the repository, a file of more than 256 KiB or not UTF-8.
 * @param file absolute. @param root absolute top level of the repository, links resolved.
 */
export async function readManifest(file: string, root: string): Promise<string | undefined> {
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined || !isInside(root, real)) return undefined;
  const read = await readTextFile(real);
  return read.kind === "text" ? read.text : undefined;
}

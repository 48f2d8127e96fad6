import { diskTree } from "../changes/index.ts";
import { parseRepoPath } from "../contracts/index.ts";
import { isSecretFile, redact } from "../lib/redaction.ts";
import { decodeUtf8, sha256 } from "../lib/text.ts";
import type { RunRecord } from "./ports.ts";

/** What stood at a path when the run looked at it. */
export type SeenFile = { readonly path: string } & (
  | { readonly kind: "missing" }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "text" | "base64"; readonly mode: number; readonly content: string }
  /** Larger than what is kept. */
  | { readonly kind: "large"; readonly mode: number; readonly bytes: number }
  /** It holds what looks like a secret, or is named like one. */
  | { readonly kind: "secret" }
);

/** Key under which files are observed. */
export const filesKey = "files";

/** A larger file is not shown to models either. */
const MOST_BYTES = 1024 * 1024;
/** Of all files of a run. */
const MOST_TOTAL_BYTES = 16 * 1024 * 1024;

/** Keeps in the record what the files of a change held, each content once. */
export interface SeenFiles {
  /** Paths that are none are passed over. */
  see(paths: readonly string[]): Promise<void>;
}

export function createSeenFiles(root: string, record: Pick<RunRecord, "observe">): SeenFiles {
  const tree = diskTree(root);
  const known = new Map<string, string>();
  let room = MOST_TOTAL_BYTES;

  async function lookAt(path: string): Promise<SeenFile | undefined> {
    const parsed = parseRepoPath(path);
    if (!parsed.ok) return undefined;
    if (isSecretFile(path)) return { path, kind: "secret" };
    const entry = await tree.read(parsed.path);
    if (entry.kind === "missing") return { path, kind: "missing" };
    if (entry.kind === "link") return { path, kind: "link", target: entry.target };
    if (entry.kind !== "file") return undefined;
    const { bytes, mode } = entry;
    if (bytes.length > Math.min(MOST_BYTES, room)) {
      return { path, kind: "large", mode, bytes: bytes.length };
    }
    const text = decodeUtf8(bytes);
    if (text === undefined || !Buffer.from(text).equals(bytes)) {
      return { path, kind: "base64", mode, content: Buffer.from(bytes).toString("base64") };
    }
    if (redact(text) !== text) return { path, kind: "secret" };
    return { path, kind: "text", mode, content: text };
  }

  async function lookAtAll(paths: readonly string[]): Promise<SeenFile[]> {
    const found: SeenFile[] = [];
    for (const path of new Set(paths)) {
      const file = await lookAt(path);
      if (file === undefined) continue;
      const hash = sha256(JSON.stringify(file));
      if (known.get(path) === hash) continue;
      known.set(path, hash);
      if ("content" in file) room -= file.content.length;
      found.push(file);
    }
    return found;
  }

  return {
    async see(paths) {
      await record.observe(filesKey, () => lookAtAll(paths));
    },
  };
}

/** One hash over what stands at these paths: names, modes and contents. */
export async function hashOfFiles(root: string, paths: readonly string[]): Promise<string> {
  const tree = diskTree(root);
  const lines: string[] = [];
  for (const path of [...new Set(paths)].toSorted()) {
    const parsed = parseRepoPath(path);
    if (!parsed.ok) continue;
    const entry = await tree.read(parsed.path);
    const what = entry.kind === "file" ? `${entry.mode} ${sha256(entry.bytes)}` : entry.kind;
    lines.push(`${what} ${path}`);
  }
  return sha256(lines.join("\n"));
}

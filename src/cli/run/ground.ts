import { readFile } from "node:fs/promises";
import type { Candidate, CandidateName, RunGround, TreeHash } from "../../contracts/index.ts";
import { sha256 } from "../../lib/text.ts";
import type { TreeState } from "../../pipeline/index.ts";
import { kitVersion } from "../package.ts";
import { type PreparedRun, routesAsked } from "./prepare.ts";
import { stateOfTree } from "./start-record.ts";

/** The user's tree as it stands; undefined where nobody can tell. */
export async function treeNow(prepared: PreparedRun): Promise<TreeHash | undefined> {
  const state = await stateOfTree(prepared);
  return state && treeHash(state);
}

function treeHash(state: TreeState): TreeHash {
  return { head: state.head, hash: sha256(JSON.stringify(state)) };
}

/**
 * What a run stands on, for its record.
 * @param state undefined: nobody can tell
 * @param adapters what the program of each says it is
 */
export async function groundOf(
  prepared: PreparedRun,
  state: TreeState | undefined,
  adapters: Readonly<Record<string, string>>,
): Promise<RunGround> {
  const used = prepared.project.sources.filter((source) => source.used);
  return {
    versions: {
      kit: kitVersion(),
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      adapters,
    },
    sources: await Promise.all(
      used.map(async ({ kind, layer, file }) => {
        const bytes = await readFile(file).catch(() => undefined);
        return { kind, layer, file, ...(bytes !== undefined && { hash: sha256(bytes) }) };
      }),
    ),
    routes: routesAsked(prepared).map(({ capability, candidates, skipped }) => ({
      capability,
      candidates: candidates.map(nameOf),
      skipped: skipped.map(({ backend, reason }) => ({ backend, reason })),
    })),
    ...(state && { tree: treeHash(state) }),
  };
}

function nameOf({ backend, binding }: Candidate): CandidateName {
  const { adapter, provider, model, thinking } = binding;
  return { backend, adapter, provider, model, ...(thinking !== undefined && { thinking }) };
}

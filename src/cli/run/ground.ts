import { readFile } from "node:fs/promises";
import type { Candidate, CandidateName, RunGround } from "../../contracts/index.ts";
import { sha256 } from "../../lib/text.ts";
import type { TreeState } from "../../pipeline/index.ts";
import { kitVersion } from "../package.ts";
import { type PreparedRun, routesAsked } from "./prepare.ts";

/** What a run stands on, for its record. @param state undefined: nobody can tell */
export async function groundOf(
  prepared: PreparedRun,
  state: TreeState | undefined,
): Promise<RunGround> {
  const used = prepared.project.sources.filter((source) => source.used);
  return {
    versions: {
      kit: kitVersion(),
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
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
    ...(state && { tree: { head: state.head, hash: sha256(JSON.stringify(state)) } }),
  };
}

function nameOf({ backend, binding }: Candidate): CandidateName {
  const { adapter, provider, model, thinking } = binding;
  return { backend, adapter, provider, model, ...(thinking !== undefined && { thinking }) };
}

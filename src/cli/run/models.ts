import { setTimeout as delay } from "node:timers/promises";
import { createAdapters } from "../../adapters/index.ts";
import { type Adapter, KitError, type Ledger, type Route } from "../../contracts/index.ts";
import { userStateFolder } from "../../lib/user-folders.ts";
import { type Clock, spentAccounts } from "../../pipeline/index.ts";
import { openLedger, type OpenLedger } from "../../routing/index.ts";
import type { Io } from "../io.ts";
import type { Project } from "../project.ts";

/** Time as the pipeline needs it. */
export const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
};

/** Every way to call a model, as this machine's settings and bindings have it. */
export function adaptersOf(
  { settings, registry }: Pick<Project, "settings" | "registry">,
  env: Io["env"],
): ReadonlyMap<string, Adapter> {
  const bindings = [...registry.bindings.values()].map(({ value }) => value);
  return createAdapters({ env, program: settings.piProgram.value, bindings });
}

/** @throws KitError `no_model` where a step has nobody to ask. */
export function requireModels(routes: readonly Route[]): void {
  const unserved = routes.find(({ candidates }) => candidates.length === 0);
  if (unserved === undefined) return;
  const skips = unserved.skipped.map(({ backend, reason }) => `${backend}: ${reason}`).join(", ");
  throw new KitError("no_model", `No model serves "${unserved.capability}" (${skips}).`, {
    next: "Bind one: kit init",
  });
}

/**
 * Opens what all kit processes of the user know of their accounts.
 * @param onTrouble is told, once, that it cannot be used
 */
export function openUserLedger(
  { env }: Pick<Io, "env">,
  onTrouble: (message: string) => void,
): Promise<OpenLedger> {
  return openLedger({ folder: userStateFolder(env), now: clock.now, onTrouble });
}

/** @throws KitError `no_model` where a step could only ask accounts that are spent for longer */
export function requireQuota(routes: readonly Route[], ledger: Ledger): void {
  for (const { capability, candidates } of routes) {
    const spent = spentAccounts(candidates, ledger, clock.now());
    if (spent === undefined) continue;
    throw new KitError("no_model", `Nobody can be asked for "${capability}": ${spent.message}.`, {
      next: spent.next,
    });
  }
}

/** Every adapter that may be called is there, before anything runs. */
export async function checkAdapters(
  routes: readonly Route[],
  adapters: ReadonlyMap<string, Adapter>,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const versions: Record<string, string> = {};
  const candidates = routes.flatMap((route) => route.candidates);
  for (const name of new Set(candidates.map(({ binding }) => binding.adapter))) {
    const adapter = adapters.get(name);
    if (adapter === undefined) {
      throw new KitError("configuration", `No adapter is called "${name}".`, {
        next: `Use one of: ${[...adapters.keys()].join(", ")}`,
      });
    }
    versions[name] = (await adapter.check(signal)).version;
  }
  return versions;
}

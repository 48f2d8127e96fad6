import { plainEnvironment } from "../environment.ts";
import type { Environment } from "../program.ts";

/**
 * The complete environment of a pi process: provider keys stay, they are the user's, for pi;
 * start-up checks are off.
 */
export function piEnvironment(env: Environment): Record<string, string | undefined> {
  return { ...plainEnvironment(env), PI_SKIP_VERSION_CHECK: "1" };
}

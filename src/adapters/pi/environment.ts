import { homeFolder } from "../../lib/home-folder.ts";
import type { Environment } from "../program.ts";

/**
 * Variables that change what pi prints, or put foreign code into its Node. Everything else goes
 * through, provider keys included: they are the user's, for pi.
 */
const withheld =
  /^(?:FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLORTERM|NODE_OPTIONS|NODE_REPL_EXTERNAL_MODULE|NODE_DEBUG|NODE_DEBUG_NATIVE|NODE_V8_COVERAGE|NODE_CHANNEL_FD|NODE_CHANNEL_SERIALIZATION_MODE|NODE_UNIQUE_ID|NODE_TEST_CONTEXT|ELECTRON_RUN_AS_NODE|VITEST(?:_.*)?)$/;

/**
 * The complete environment of a pi process. Colour is off, start-up checks are off, and
 * loopback addresses never go through a proxy, which could not reach them. `HOME` is absolute: pi
 * runs in another folder than kit.
 */
export function piEnvironment(env: Environment): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !withheld.test(name));
  const direct = [env.NO_PROXY ?? env.no_proxy, "127.0.0.1", "localhost", "::1"];
  const noProxy = direct.filter((entry) => entry !== undefined && entry !== "").join(",");
  return {
    ...Object.fromEntries(kept),
    HOME: homeFolder(env),
    NO_COLOR: "1",
    PI_SKIP_VERSION_CHECK: "1",
    NO_PROXY: noProxy,
    no_proxy: noProxy,
  };
}

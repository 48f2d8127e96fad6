import type { Price, Usage } from "../contracts/index.ts";

/** USD for some tokens at a price per million; unknown parts of the usage count as none. */
export function costOf(usage: Usage, price: Price): number {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage;
  const perMillion =
    input * price.input +
    output * price.output +
    cacheRead * (price.cacheRead ?? price.input) +
    cacheWrite * (price.cacheWrite ?? price.input);
  return perMillion / 1_000_000;
}

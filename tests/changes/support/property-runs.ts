/**
 * Cases a property runs: `share` of those of one suite, which are 2,400 or, in the nightly run,
 * what `KIT_PROPERTY_RUNS` says.
 */
export function propertyRuns(share: number): number {
  const wanted = Number(process.env["KIT_PROPERTY_RUNS"] ?? "");
  return Math.ceil((wanted > 0 ? wanted : 2_400) * share);
}

import type { IngestStatus } from "./read-status.ts";

/** What an operator should look at, a sentence each; empty when every stream that is on is well. */
export function findTrouble({ isRunning, streams }: IngestStatus): string[] {
  const on = streams.filter(({ state }) => state !== "off" && state !== "replaced" && state !== "not started");
  if (!isRunning && on.length > 0) return ["the service is not running"];
  return on.flatMap(({ name, state, isBehind, lagSeconds, lastError }) => {
    if (state === "failing") return [`${name} is failing${lastError === null ? "" : `: ${lastError}`}`];
    if (state === "not running") return [`${name} is not running`];
    return isBehind ? [`${name} is ${Math.round(lagSeconds ?? 0)} s behind`] : [];
  });
}

import type { Refresh } from "../../definition/refresh.ts";
import { runRefresh, type RefreshRun } from "./run-refresh.ts";

/** Works out all that the refreshes know, as of `now` by the venues' clock (Unix ms). Throws as `runRefresh`. */
export async function refreshAll(refreshes: readonly Refresh[], now: number, run: RefreshRun): Promise<number> {
  let done = 0;
  for (const refresh of refreshes) done += await runRefresh(refresh, { now, since: undefined, isWhole: true }, run);
  return done;
}

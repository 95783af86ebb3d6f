import { type Clock, systemClock } from "../../src/ingest/clock.ts";

/** Shows what `now` gives; nobody waits by it. */
export const withoutWaits = (now: () => number): Clock => ({
  now,
  monotonicMs: now,
  sleep: () => Promise.resolve(),
});

/** The machine's, by which waits end so many times as early. */
export const quickClock = (times: number): Clock => ({
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
});

import { type Clock, systemClock } from "../../src/ingest/clock.ts";

/** Shows the time of `now`; its sleeps return immediately. */
export const withoutWaits = (now: () => number): Clock => ({
  now,
  monotonicMs: now,
  sleep: () => Promise.resolve(),
});

/** The machine's clock with sleeps shortened by the factor `times`. */
export const quickClock = (times: number): Clock => ({
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
});

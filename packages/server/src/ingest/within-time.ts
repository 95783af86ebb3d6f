import type { Clock } from "./clock.ts";

/** The work's result; throws where it is not there in time, and leaves the work to itself then. */
export async function withinTime<T>(ms: number, clock: Clock, work: Promise<T>): Promise<T> {
  const rest = new AbortController();
  const late = clock.sleep(ms, rest.signal).then(
    () => {
      throw new Error(`not done within ${ms} ms`);
    },
    () => undefined as never,
  );
  work.catch(() => undefined);
  return await Promise.race([work, late]).finally(() => rest.abort());
}

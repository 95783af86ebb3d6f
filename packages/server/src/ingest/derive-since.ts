import { bind, name, sql, type Sql } from "../definition/sql.ts";
import type { Derivation } from "../definition/derivation.ts";
import type { DeriverOptions } from "./derive.ts";
import { engineSeconds } from "./engine-seconds.ts";

export const BUCKETS_A_TURN = 1000;

type Options = Pick<DeriverOptions, "store" | "clock" | "log" | "onDerived">;

/** The statement that works these buckets (ascending Unix seconds) out again. */
export function rebuildOf(derivation: Derivation, starts: readonly number[], nowMs: number): Sql {
  return derivation.rebuild({
    from: engineSeconds(starts[0] ?? 0),
    to: engineSeconds((starts.at(-1) ?? 0) + derivation.bucketSeconds),
    starts,
    version: String(BigInt(nowMs) * 1000n),
  });
}

/** Works out every bucket of which a row was stored since that moment; all of them when there is none. */
export async function deriveSince(
  derivation: Derivation,
  options: Options,
  since: Date | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, log } = options;
  const found = await readTouched(derivation, options, since);
  if (found.length === 0) return;
  log.info({ derivation: derivation.name, buckets: found.length, since }, "working out what was stored before");
  for (let place = 0; place < found.length; place += BUCKETS_A_TURN) {
    signal.throwIfAborted();
    await store.run(rebuildOf(derivation, found.slice(place, place + BUCKETS_A_TURN), clock.now()));
    options.onDerived?.(derivation.into);
  }
}

async function readTouched(
  { from, moment, bucketSeconds }: Derivation,
  { store }: Options,
  since: Date | undefined,
): Promise<number[]> {
  const size = bind("UInt32", bucketSeconds);
  const stored = bind("Int64", BigInt(since?.getTime() ?? 0));
  const rows = await store.rows<{ start: string }>(
    sql`SELECT DISTINCT toString(intDiv(toUnixTimestamp(${name(moment)}), ${size}) * ${size}) AS start FROM ${from} WHERE ingested_at >= fromUnixTimestamp64Milli(${stored}) LIMIT 10000000`,
  );
  return rows.map(({ start }) => Number(start)).sort((a, b) => a - b);
}

import { bind, name, sql, type Sql } from "../definition/sql.ts";
import type { Derivation } from "../definition/derivation.ts";
import type { DeriverOptions } from "./derive.ts";
import { findUndoneSince } from "./control/undo-record.ts";
import { dropLeft } from "./drop-left.ts";
import { engineSeconds } from "./engine-seconds.ts";

export const BUCKETS_A_TURN = 1000;

type Options = Pick<DeriverOptions, "store" | "db" | "clock" | "log" | "onDerived">;

/** The statement that works these buckets (ascending Unix seconds) out again. */
export function rebuildOf(derivation: Derivation, starts: readonly number[], nowMs: number): Sql {
  return derivation.rebuild({
    from: engineSeconds(starts[0] ?? 0),
    to: engineSeconds((starts.at(-1) ?? 0) + derivation.bucketSeconds),
    starts,
    version: String(BigInt(nowMs) * 1000n),
  });
}

/** Works out every bucket of which a row was stored or taken away since that moment; all of them when there is none. */
export async function deriveSince(
  derivation: Derivation,
  options: Options,
  since: Date | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, log } = options;
  const left = await readLeft(derivation, options, since);
  const found = [...new Set([...(await readTouched(derivation, options, since)), ...left])].sort((a, b) => a - b);
  if (found.length === 0) return;
  log.info({ derivation: derivation.name, buckets: found.length, since }, "working out what was stored before");
  for (let place = 0; place < found.length; place += BUCKETS_A_TURN) {
    signal.throwIfAborted();
    const some = found.slice(place, place + BUCKETS_A_TURN);
    const now = clock.now();
    await store.run(rebuildOf(derivation, some, now));
    const emptied = some.filter((start) => left.has(start));
    if (emptied.length > 0) await dropLeft(derivation, store, emptied, now);
    options.onDerived?.(derivation.into);
  }
}

/** Buckets that rows were taken away from. */
async function readLeft(
  { bucketSeconds }: Derivation,
  { db }: Options,
  since: Date | undefined,
): Promise<ReadonlySet<number>> {
  const starts = new Set<number>();
  if (since === undefined) return starts;
  for (const { from, to } of await findUndoneSince(db, since)) {
    const first = Math.floor(from.getTime() / 1000 / bucketSeconds) * bucketSeconds;
    for (let start = first; start * 1000 <= to.getTime(); start += bucketSeconds) starts.add(start);
  }
  return starts;
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
  return rows.map(({ start }) => Number(start));
}

import { bind, name, sql, type Sql } from "../definition/sql.ts";
import { sourcesOf, type Derivation, type DerivationMemory } from "../definition/derivation.ts";
import type { DeriverOptions } from "./derive.ts";
import { findMadeThrough } from "./control/derivation-record.ts";
import { findUndoneSince } from "./control/undo-record.ts";
import { rebuildSlices } from "./rebuild.ts";
import { remake, type Remade } from "./remake.ts";
import { isMade, storedSince } from "./timestamps.ts";

export const BUCKETS_PER_CYCLE = 1000;

type Options = Pick<DeriverOptions, "store" | "db" | "clock" | "log" | "onDerived"> & {
  readonly remade: Remade;
  readonly memory?: DerivationMemory;
};

/** Derives every bucket with a row stored or removed since that time; all of them if absent. */
export async function deriveSince(
  derivation: Derivation,
  options: Options,
  since: Date | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { log, store, clock } = options;
  if (since === undefined && derivation.slices) {
    log.info({ derivation: derivation.name }, "deriving everything stored");
    await rebuildSlices(derivation, { store, clock, signal });
    options.onDerived?.(derivation.into);
    return;
  }
  const left = await readLeft(derivation, options, since);
  const found = [...new Set([...(await readTouched(derivation, options, since)), ...left])].sort((a, b) => a - b);
  if (found.length === 0) return;
  log.info({ derivation: derivation.name, buckets: found.length, since }, "deriving rows stored earlier");
  for (let place = 0; place < found.length; place += BUCKETS_PER_CYCLE) {
    signal.throwIfAborted();
    const starts = found.slice(place, place + BUCKETS_PER_CYCLE);
    await remake(derivation, options, {
      starts,
      left: starts.filter((start) => left.has(start)),
      since: since?.getTime(),
    });
  }
}

/** Buckets from which rows were removed. */
async function readLeft(
  derivation: Derivation,
  { db }: Options,
  since: Date | undefined,
): Promise<ReadonlySet<number>> {
  const starts = new Set<number>();
  if (since === undefined) return starts;
  const { bucketSeconds } = derivation;
  for (const { from, to } of await findUndoneSince(db, since)) {
    const first = Math.floor(from.getTime() / 1000 / bucketSeconds) * bucketSeconds;
    for (let start = first; start * 1000 <= to.getTime(); start += bucketSeconds) starts.add(start);
  }
  return starts;
}

async function readTouched(derivation: Derivation, { store, db }: Options, since: Date | undefined): Promise<number[]> {
  const sinceMs = since?.getTime() ?? 0;
  const madeSinceMs = since === undefined ? 0 : Math.max(sinceMs, await findMadeThrough(db, derivation.name));
  const size = bind("UInt32", derivation.bucketSeconds);
  const found = await Promise.all(
    sourcesOf(derivation).map((source) => {
      const start: Sql = sql`intDiv(toUnixTimestamp(${name(derivation.timestamp)}), ${size}) * ${size}`;
      return store.rows<{ start: string }>(
        sql`SELECT DISTINCT toString(${start}) AS start FROM ${source} WHERE ${storedSince(source, isMade(source) ? madeSinceMs : sinceMs)} LIMIT 10000000`,
      );
    }),
  );
  return found.flat().map(({ start }) => Number(start));
}

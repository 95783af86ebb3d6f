import { openCheckpointFolder } from "../../src/ingest/fold/checkpoints.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { derivations, folds } from "../../src/catalogue.ts";
import { sourcesOf, type Derivation, type Rebuild } from "../../src/definition/derivation.ts";
import type { Fold, FoldSource, Touched } from "../../src/definition/fold.ts";
import { bind, sql } from "../../src/definition/sql.ts";
import type { TableDefinition } from "../../src/definition/table.ts";
import { marketSnapshotsRefresh } from "../../src/derivations/market/refresh-markets.ts";
import { tokenDaysFromMinutes } from "../../src/derivations/token-days.ts";
import { walletSources } from "../../src/derivations/wallet-touch/wallet-sources.ts";
import type { Clock } from "../../src/ingest/clock.ts";
import { createDeriver } from "../../src/ingest/derive.ts";
import { findDerivedThrough } from "../../src/ingest/control/derivation-record.ts";
import { isMade } from "../../src/ingest/timestamps.ts";
import { deriveAll } from "../../src/main/derive/derive-all.ts";
import type { DerivedPart } from "../../src/main/derive/derive-buckets.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { polymarketCandles } from "../../src/tables/polymarket-candles.ts";
import { tokenDays } from "../../src/tables/token-days.ts";
import { fillRow } from "../ingest/fill-rows.ts";
import { openEngines } from "../ingest/open-engines.ts";
import { sharesFold } from "./shares-fold.ts";

const DAY = "2026-11-20";
const START_MS = Date.UTC(2026, 10, 22);

let engines: Awaited<ReturnType<typeof openEngines>>;
let now = START_MS;
/** Days whose marks were looked up. */
let lookedUp: Touched[] = [];
beforeEach(async () => {
  engines = await openEngines();
  now = START_MS;
  lookedUp = [];
});
afterEach(() => engines.close());

const clock: Clock = {
  now: () => now,
  monotonicMs: () => now,
  sleep: () => new Promise((resolve) => setTimeout(resolve, 5)),
};

const sourceOf = (table: TableDefinition): FoldSource => {
  const found = walletSources.find((source) => source.table === table);
  if (found === undefined) throw new Error(`wallets' days do not read ${table.name}`);
  return found;
};
const marks: FoldSource = {
  ...sourceOf(tokenDays),
  find: (_read, days) => (lookedUp.push(days), Promise.resolve(new Map())),
};

/** Shares by day, also recomputed where a mark was made; computing them takes `ms`. */
const lasting = (ms: number): Fold => ({
  ...sharesFold,
  from: [sourceOf(polymarketFills), marks],
  work: (...requested) => {
    now += ms;
    return sharesFold.work(...requested);
  },
});

/** Stores a mark that another derivation made `beforeMs` ago. */
async function storeMark(token: number, beforeMs: number): Promise<void> {
  const [id, version] = [bind("UInt64", BigInt(token)), bind("UInt64", BigInt(now - beforeMs) * 1000n)];
  await engines.store.run(
    sql`INSERT INTO ${tokenDays} (token_id, day, mark, version) SELECT toUInt256(${id}), toDate(${bind("String", DAY)}), 0.5, ${version}`,
  );
}

async function storeCandle(beforeMs: number): Promise<void> {
  const version = bind("UInt64", BigInt(now - beforeMs) * 1000n);
  await engines.store.run(
    sql`INSERT INTO ${polymarketCandles} (token_id, minute, open, high, low, close, volume, volume_usd, trade_count, version) SELECT 1, toDateTime(${bind("String", `${DAY} 00:00:00`)}, 'UTC'), 0.5, 0.5, 0.5, 0.5, 1, 1, 1, ${version}`,
  );
}

async function startService(fold: Fold): Promise<void> {
  const deriver = createDeriver({ ...engines, derivations: [], folds: [fold], clock });
  const stop = new AbortController();
  const running = deriver.run(stop.signal);
  await expect.poll(() => deriver.pending()["shares"], { interval: 5 }).toBe(0);
  stop.abort(new Error("stop"));
  await running;
  await deriver.flush();
}

const cutOff = (): Promise<never> => Promise.reject(new Error("cut off"));

const rebuild = (...parts: readonly DerivedPart[]) =>
  deriveAll(parts, true, {
    ...engines,
    clock,
    signal: new AbortController().signal,
    onShown: () => undefined,
    checkpoints: openCheckpointFolder(),
    atOnce: 1,
  });

async function rebuildAfterMarks(
  fold: Fold,
  run: () => Promise<unknown> = () => rebuild({ kind: "fold", fold }),
): Promise<void> {
  await engines.store.insert(polymarketFills, [fillRow(1, Date.parse(DAY) / 1000)]);
  await storeMark(1, 5000);
  await run();
  expect(lookedUp).toEqual([]);
}

test("tables read by their version are exactly the derived ones; ingested rows keep their margin", () => {
  const made = new Set([...derivations, ...folds].flatMap(({ into }) => into));
  const sources = [...derivations.flatMap(sourcesOf), ...folds.flatMap(({ from }) => from.map(({ table }) => table))];
  const apart = sources.filter((table) => isMade(table) !== made.has(table)).map(({ name }) => name);
  expect(apart).toEqual([]);
  expect(sources.some(isMade)).toBe(true);
});

test("a service that starts after a complete run looks up nothing that was made before it", async () => {
  const fold = lasting(60_000);
  await rebuildAfterMarks(fold);
  await startService(fold);
  expect(lookedUp).toEqual([]);
});

test("a service that starts after a run interrupted after the fold looks up nothing made before it either", async () => {
  const fold = lasting(60_000);
  const after: DerivedPart = { kind: "refresh", refresh: { ...marketSnapshotsRefresh, refresh: cutOff } };
  await rebuildAfterMarks(fold, () => expect(rebuild({ kind: "fold", fold }, after)).rejects.toThrow("cut off"));
  await startService(fold);
  expect(lookedUp).toEqual([]);
});

test("looks up what was made during or after a complete run", async () => {
  const fold = lasting(60_000);
  await rebuildAfterMarks(fold);
  await storeMark(2, 30_000);
  await startService(fold);
  expect(lookedUp).toEqual([new Map([[DAY, DAY]])]);
});

test("after a run shorter than clocks may differ, looks up again what was made shortly before it", async () => {
  const fold = lasting(1000);
  await rebuildAfterMarks(fold);
  await startService(fold);
  expect(lookedUp).toEqual([new Map([[DAY, DAY]])]);
});

test("does not recompute buckets of rows made before a complete run, but recomputes those of later rows", async () => {
  let runs = 0;
  const derivation: Derivation = {
    ...tokenDaysFromMinutes,
    rebuild: (made: Rebuild) => {
      runs += 1;
      now += 60_000;
      return tokenDaysFromMinutes.rebuild(made);
    },
  };
  const resume = async (): Promise<void> => {
    now += 1000;
    const through = async () => Number(await findDerivedThrough(engines.db, derivation.name));
    const before = await through();
    const deriver = createDeriver({ ...engines, derivations: [derivation], clock });
    const stop = new AbortController();
    const running = deriver.run(stop.signal);
    await expect.poll(through, { interval: 5 }).toBeGreaterThan(before);
    stop.abort(new Error("stop"));
    await running;
  };
  await storeCandle(5000);
  await rebuild({ kind: "buckets", derivation });
  expect(runs).toBe(1);
  await resume();
  expect(runs).toBe(1);
  await storeCandle(5000);
  await resume();
  expect(runs).toBe(2);
});

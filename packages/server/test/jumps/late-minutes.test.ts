import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { bind, sql } from "../../src/definition/sql.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { coarsePriceChangesFromMinutes, priceChangesFromMinutes } from "../../src/derivations/price-changes.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { rebuildAll } from "../../src/ingest/rebuild.ts";
import { remake } from "../../src/ingest/remake.ts";
import { bookQuotes } from "../../src/tables/book-quotes.ts";
import { polymarketCandles } from "../../src/tables/polymarket-candles.ts";
import { priceChanges } from "../../src/tables/price-changes.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { randomMinutes } from "./random-minutes.ts";

const draw = seededRandom();
const TOKENS = Array.from({ length: 12 }, (_, index) =>
  String(10n ** BigInt(1 + Math.floor(draw() * 60)) + BigInt(index)),
);
const DERIVATIONS = [priceChangesFromMinutes, coarsePriceChangesFromMinutes];
const ROUNDS = 8;

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const minuteOf = (row: InsertRow): number => Number(row["minute"]);
const keyOf = (row: InsertRow): string => `${String(row["token_id"])} ${minuteOf(row)}`;

/** Remakes buckets as the pipeline does after a batch. */
async function derive(minutes: readonly number[], since: number | undefined): Promise<void> {
  for (const derivation of DERIVATIONS) {
    const size = derivation.bucketSeconds;
    const starts = [...new Set(minutes.map((minute) => Math.floor(minute / size) * size))].sort((a, b) => a - b);
    const options = { store, clock: systemClock, remade: () => () => undefined };
    await remake(derivation, options, { starts, left: since === undefined ? starts : [], since });
  }
}

async function rebuildFromNothing(): Promise<void> {
  await store.run(sql`TRUNCATE TABLE price_changes`);
  const options = { store, clock: systemClock, signal: new AbortController().signal };
  for (const derivation of DERIVATIONS) await rebuildAll(derivation, { from: "2026-06-01", to: "2026-06-02" }, options);
}

/** Deletes some minutes of all tokens. */
async function takeAway(minutes: readonly number[]): Promise<void> {
  const times = bind("Array(UInt32)", minutes);
  for (const table of [polymarketCandles, bookQuotes])
    await store.run(sql`DELETE FROM ${table} WHERE toUnixTimestamp(minute) IN (SELECT arrayJoin(${times}))`);
  await derive(minutes, undefined);
}

const rows = () =>
  store.rows(
    sql`SELECT * EXCEPT (version, content) FROM price_changes FINAL WHERE NOT is_gone ORDER BY resolution, bucket, token_id`,
  );

/** Number of minutes with trades per token; each but the first changes a price in more than one resolution. */
const tradedMinutes = () =>
  store.rows(sql`SELECT token_id, count() AS traded FROM ${polymarketCandles} FINAL GROUP BY token_id`);

/** Shifts each token's minutes so many days before those of the previous one, and adds one trade long before them. */
function apart({ candles, quotes }: ReturnType<typeof randomMinutes>, days: number) {
  const moved = (row: InsertRow, token: unknown): InsertRow =>
    Object.assign({}, row, { minute: minuteOf(row) - TOKENS.indexOf(String(token)) * days * 86_400 });
  const later = candles.map((row) => moved(row, row["token_id"]));
  const firsts = TOKENS.flatMap((token) => later.filter((row) => row["token_id"] === token).slice(0, 1));
  const before = firsts.map((row) => Object.assign({}, row, { minute: minuteOf(row) - 30 * days * 86_400 }));
  return { candles: [...before, ...later], quotes: quotes.map((row) => moved(row, row["instrument"])) };
}

const DAY = 86_400;
const NOON = Date.UTC(2026, 4, 1, 12) / 1000;

/**
 * The first day of the extents in which minutes are searched (1.45 days for 15 minutes, 139 days for days) is complete.
 */
test.for([
  ["the finer resolutions", 1.5 * DAY - 1800],
  ["the coarser ones", 139.25 * DAY],
])("finds the previous trade on the first day that is read, for %s", async ([, before]) => {
  for (const table of [polymarketCandles, bookQuotes, priceChanges]) await store.run(sql`TRUNCATE TABLE ${table}`);
  const [token_id] = TOKENS;
  const candle = (minute: number, close: string): InsertRow => ({
    ...randomMinutes(draw, TOKENS, 2).candles[0],
    token_id,
    minute,
    close,
  });
  for (const row of [candle(NOON - Number(before), "0.25"), candle(NOON, "0.5")]) {
    const since = Date.now();
    await store.insert(polymarketCandles, [row]);
    await derive([minuteOf(row)], since);
  }
  const made = await rows();
  expect(made.filter((row) => row["previous_close"] === "0.25")).toHaveLength(6);
  await rebuildFromNothing();
  expect(await rows()).toEqual(made);
});

test.for([0, 5])(
  "rows made minute by minute, in any order, equal those of a rebuild from scratch: tokens %i days apart",
  async (days) => {
    for (const table of [polymarketCandles, bookQuotes, priceChanges]) await store.run(sql`TRUNCATE TABLE ${table}`);
    const minutes = randomMinutes(draw, TOKENS, 300);
    const { candles, quotes } = days === 0 ? minutes : apart(minutes, days);
    const round = () => Math.floor(draw() * draw() * ROUNDS);
    const rounds = Array.from({ length: ROUNDS }, (): { candles: InsertRow[]; quotes: InsertRow[] } => ({
      candles: [],
      quotes: [],
    }));
    for (const row of candles) rounds[round()]?.candles.push(row);
    for (const row of quotes) rounds[round()]?.quotes.push(row);
    for (const late of rounds) {
      const since = Date.now();
      // Some of the stored rows are corrected.
      const again = candles
        .filter(() => draw() < 0.01)
        .map((row) => Object.assign({}, row, { close: "0.5", trade_count: 9 }));
      // A batch contains each key once.
      const corrected = new Set(again.map(keyOf));
      await store.insert(polymarketCandles, [...late.candles.filter((row) => !corrected.has(keyOf(row))), ...again]);
      await store.insert(bookQuotes, late.quotes);
      await derive([...late.candles, ...again, ...late.quotes].map(minuteOf), since);
    }
    await takeAway([...candles, ...quotes].filter(() => draw() < 0.05).map(minuteOf));
    const made = await rows();
    const minutesOfTokens = await tradedMinutes();
    expect(minutesOfTokens.length).toBeGreaterThan(0);
    for (const { token_id, traded } of minutesOfTokens)
      expect(made.filter((row) => row["token_id"] === token_id).length, String(token_id)).toBeGreaterThan(
        Number(traded),
      );
    await rebuildFromNothing();
    expect(await rows()).toEqual(made);
  },
);

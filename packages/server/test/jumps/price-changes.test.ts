import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Rebuild } from "../../src/definition/derivation.ts";
import { bind, sql } from "../../src/definition/sql.ts";
import { PRICE_RESOLUTIONS } from "../../src/derivations/price-changes/buckets.ts";
import { coarsePriceChangesFromMinutes, priceChangesFromMinutes } from "../../src/derivations/price-changes.ts";
import { rebuildAll, runWhole } from "../../src/ingest/rebuild.ts";
import { remake } from "../../src/ingest/remake.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { referenceChanges, type Change, type Minute } from "./reference-changes.ts";
import { storeMinutes } from "./token-minutes.ts";

const START = Date.UTC(2026, 5, 1) / 1000;
/** Of different lengths, so that their order as text differs from their numeric order. */
const TOKENS = ["9", "1002", "1003"];
const DERIVATIONS = [priceChangesFromMinutes, coarsePriceChangesFromMinutes];
/** One pause is longer than the lookback of all but the longest bucket, the other longer than that one's too. */
const PAUSES = new Map([
  [300, 3 * 86_400],
  [600, 200 * 86_400],
]);
const WHOLE = { from: "2020-01-01 00:00:00", to: "2030-01-01 00:00:00", starts: undefined };

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

/** A generator of numbers from 0 to 1, seeded for a repeatable history. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Some days of minutes with pauses, two of them long, quotes now and then, and a jump; prices in whole tenths of a cent. */
function history(seed: number, isQuoted: boolean): Minute[] {
  const draw = dice(seed);
  const minutes: Minute[] = [];
  let at = START;
  let price = 0.3 + draw() * 0.4;
  for (let count = 0; count < 900; count += 1) {
    at += PAUSES.get(count) ?? 0;
    at += draw() < 0.01 ? 60 * (200 + Math.floor(draw() * 900)) : 60 * (1 + Math.floor(draw() * draw() * 5));
    price = Math.min(0.98, Math.max(0.02, price + (draw() - 0.5) * (draw() < 0.01 ? 0.3 : 0.01)));
    const rounded = Math.round(price * 1000) / 1000;
    const isTraded = draw() < 0.8 || !isQuoted;
    minutes.push({
      minute: at,
      shares: isTraded ? Math.round(draw() * 100) : 0,
      ...(isTraded ? { close: rounded } : {}),
      ...(isQuoted && draw() < 0.6 ? { mid: Math.round(price * 500) / 500 } : {}),
    });
  }
  return minutes.filter(({ close, mid }) => close !== undefined || mid !== undefined);
}

const histories = new Map(TOKENS.map((token, index) => [token, history(index + 1, index > 0)]));

type Stored = Change & { readonly is_peak: boolean };

async function changesOf(token: string, resolution: string): Promise<Stored[]> {
  const rows = await store.rows<Record<keyof Stored, string | number | boolean | null>>(
    sql`SELECT toUnixTimestamp(bucket) AS bucket, toFloat64(close) AS close, toFloat64(previous_close) AS previous_close, statistic, p_value, toFloat64(jump_before) AS jump_before, window_buckets, is_reverted, is_peak
FROM price_changes FINAL WHERE token_id = toUInt256(${bind("String", token)}) AND resolution = ${bind("String", resolution)} AND NOT is_gone ORDER BY bucket`,
  );
  return rows as unknown as Stored[];
}

const near = (value: number | null): unknown => (value === null ? null : expect.closeTo(value, 6));

async function expectAgreement(): Promise<void> {
  for (const [token, minutes] of histories) {
    for (const [resolution, seconds] of Object.entries(PRICE_RESOLUTIONS)) {
      const stored = await changesOf(token, resolution);
      const expected = referenceChanges(minutes, seconds).map((change, index) =>
        asStored(change, stored[index]?.is_peak === true),
      );
      expect(stored, `${token} ${resolution}`).toEqual(expected);
      expect(stored.some(({ close }) => close !== null)).toBe(true);
    }
  }
  expect((await peaksOf()) > 0).toBe(true);
}

/**
 * The stored form of a change: values that are never shown (a change below a percent, a move that is no peak) are null.
 */
function asStored({ statistic, p_value, jump_before, close, previous_close, ...rest }: Change, isPeak: boolean) {
  const isShown = close !== null && previous_close !== null && Math.abs(close / previous_close - 1) > 0.00995 - 1e-9;
  const hasFigures = isShown || isPeak;
  return {
    ...rest,
    close: isShown ? close : null,
    previous_close: isShown ? previous_close : null,
    is_reverted: isShown && rest.is_reverted,
    statistic: hasFigures ? near(statistic) : null,
    p_value: hasFigures ? near(p_value) : null,
    jump_before: isPeak ? near(jump_before) : null,
    is_peak: isPeak,
  };
}

async function peaksOf(): Promise<number> {
  const [row] = await store.rows<{ n: string }>(
    sql`SELECT toString(count()) AS n FROM price_changes FINAL WHERE is_peak AND NOT is_gone`,
  );
  return Number(row?.n);
}

const whole = () =>
  store.rows(
    sql`SELECT * EXCEPT (version, content) FROM price_changes FINAL WHERE NOT is_gone ORDER BY resolution, bucket, token_id`,
  );

/**
 * Remakes buckets as the pipeline does after a batch: the touched buckets, since when rows were written, and leftovers.
 */
async function derive(minutes: readonly Minute[], since: number | undefined): Promise<void> {
  for (const derivation of DERIVATIONS) {
    const size = derivation.bucketSeconds;
    const starts = [...new Set(minutes.map(({ minute }) => Math.floor(minute / size) * size))].sort((a, b) => a - b);
    const options = { store, clock: systemClock, remade: () => () => undefined };
    await remake(derivation, options, { starts, left: since === undefined ? starts : [], since });
  }
}

const rebuild = async (more: Partial<Rebuild>): Promise<void> => {
  for (const derivation of DERIVATIONS) {
    await runWhole(derivation, store, { ...WHOLE, version: String(Date.now() * 1000), ...more });
  }
};

describe("price changes", () => {
  test("match the reference definitions, even after late minutes in any order", async () => {
    const draw = dice(77);
    const parts = [...histories].flatMap(([token, minutes]) =>
      Array.from({ length: 4 }, (_, part) => ({
        token,
        minutes: minutes.filter((_one, at) => (at * 7) % 4 === part),
        at: draw(),
      })),
    );
    for (const { token, minutes } of parts.sort((a, b) => a.at - b.at)) {
      const since = Date.now();
      await storeMinutes(store, token, minutes);
      await derive(minutes, since);
    }
    await expectAgreement();
  });

  test("are the same after a rebuild from scratch", async () => {
    const before = await whole();
    expect(before.length).toBeGreaterThan(1000);
    await store.run(sql`TRUNCATE TABLE price_changes`);
    const options = { store, clock: systemClock, signal: new AbortController().signal };
    for (const derivation of DERIVATIONS)
      await rebuildAll(derivation, { from: "2026-06-01", to: "2026-06-02" }, options);
    expect(await whole()).toEqual(before);
  });

  test("are the same when rebuilt slice by slice, with each row stored once", async () => {
    const before = await whole();
    await store.run(sql`TRUNCATE TABLE price_changes`);
    await rebuild({ slice: { first: "9", last: "1002" } });
    await rebuild({ slice: { first: "1003", last: "1003" } });
    expect(await whole()).toEqual(before);
    const [stored] = await store.rows<{ rows: number }>(sql`SELECT toUInt32(count()) AS rows FROM price_changes`);
    expect(stored?.rows).toBe(before.length);
  });

  test("are not rewritten if they are unchanged", async () => {
    const minutes = [...histories.values()].flat();
    await derive(minutes.slice(0, 40), 0);
    const [stored] = await store.rows<{ rows: number }>(sql`SELECT toUInt32(count()) AS rows FROM price_changes`);
    expect(stored?.rows).toBe((await whole()).length);
  });

  test("are updated when minutes are deleted", async () => {
    const [token = "", minutes = []] = [...histories][1] ?? [];
    const gone = minutes.filter((_one, at) => at % 9 === 0);
    const left = new Set(gone.map(({ minute }) => minute));
    const times = bind("Array(UInt32)", [...left]);
    await store.run(
      sql`DELETE FROM polymarket_candles_1m WHERE token_id = toUInt256(${bind("String", token)}) AND toUnixTimestamp(minute) IN (SELECT arrayJoin(${times}))`,
    );
    await store.run(
      sql`DELETE FROM book_quotes_1m WHERE instrument = ${bind("String", token)} AND toUnixTimestamp(minute) IN (SELECT arrayJoin(${times}))`,
    );
    await derive(gone, undefined);
    histories.set(
      token,
      minutes.filter(({ minute }) => !left.has(minute)),
    );
    await expectAgreement();
  });
});

import { describe, expect, it } from "vitest";
import { derivedOrderHash } from "../../../src/definition/derived-order-hash.ts";
import { tradesV2Wire } from "../../../src/connectors/polymarket/data/trades-v2-wire.ts";
import { toDataFills } from "../../../src/connectors/polymarket/data/to-data-fills.ts";
import { polymarketTradesDataStream } from "../../../src/connectors/polymarket/trades-data.ts";
import type { Cursor } from "../../../src/definition/connector.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { polymarketFills } from "../../../src/tables/polymarket-fills.ts";
import { collect, memoryFeed, pullOptions } from "./memory-feed.ts";
import { absent, recordedJson } from "./recorded.ts";

const key = (row: InsertRow): string => `${String(row["ts"])} ${String(row["tx_hash"])} ${String(row["order_hash"])}`;

describe.skipIf(absent !== undefined)(`Data API, recorded${absent === undefined ? "" : `: ${absent}`}`, () => {
  it("reads the recorded row of API v2, without the fields it lacks", () => {
    const data = recordedJson<unknown[]>("data_api_v2/trades.partial.json");
    const page = tradesV2Wire.parse({
      data,
      pagination: { limit: 100, offset: 0, has_more: false, next_cursor: null },
    });
    const [fills, tokens] = toDataFills(page.items, () => "taker");
    expect(fills?.rows[0]).toMatchObject({ usd: "48.701", shares: "78.55", ts: "2026-09-08T17:03:34Z", fee_usd: "0" });
    expect(tokens?.rows[0]).toMatchObject({ outcome_index: 255, outcome: "Yes", slug: "ucl-rma-int-2026-09-08-rma" });
  });
});

const START = Date.UTC(2026, 0, 1) / 1000;

type Row = ReturnType<typeof row>;
const row = (seconds: number, more: Record<string, unknown> = {}) => ({
  proxy_wallet: `0x${"1".repeat(40)}`,
  side: "BUY",
  token_id: "12345678901234567890123456789012345678901234567890",
  condition_id: `0x${"c".repeat(64)}`,
  size: 10.5,
  price: 0.1234567891,
  timestamp: seconds,
  title: "",
  slug: "s",
  icon: "",
  event_slug: "",
  outcome: "Yes",
  outcome_index: 0,
  name: "",
  pseudonym: "",
  bio: "",
  profile_image: "",
  profile_image_optimized: "",
  transaction_hash: `0x${seconds.toString(16).padStart(64, "0")}`,
  ...more,
});

const onePage = (pagination: unknown) => memoryFeed({ get: () => ({ data: [row(START)], pagination }) });

const market = (id: number, more: Record<string, unknown> = {}) => ({
  id: String(id),
  question: "Q",
  slug: "s",
  conditionId: `0x${String(id).padStart(64, "c")}`,
  createdAt: "2026-01-01T00:00:00Z",
  ...more,
});

const itemsOf = (data: readonly unknown[]) =>
  tradesV2Wire.parse({ data, pagination: { limit: 9, offset: 0, has_more: false, next_cursor: null } }).items;

/** Data API v2 over rows (newest first); `isTaker` selects the takers'. */
function v2Feed(rows: () => readonly Row[], isTaker: (row: Row) => boolean, limit = 4) {
  return memoryFeed({
    get: (_call, query) => {
      const all = rows().filter((one) => query.get("taker_only") === "false" || isTaker(one));
      const from = Number(query.get("cursor") ?? 0);
      const more = from + limit < all.length;
      return {
        data: all.slice(from, from + limit),
        pagination: { limit, offset: 0, has_more: more, next_cursor: more ? String(from + limit) : null },
      };
    },
  });
}

describe("Data API v2, live", () => {
  const OTHER = `0x${"2".repeat(40)}`;
  /** One taker row and two maker rows per second, newest first. */
  const world = (until: number): Row[] =>
    Array.from({ length: until }, (_, index) => START + until - index).flatMap((second) => [
      row(second),
      row(second, { proxy_wallet: OTHER, size: 4 }),
      row(second, { proxy_wallet: OTHER, size: 4 }),
    ]);
  const isTaker = (one: Row): boolean => one.proxy_wallet !== OTHER;

  it("reads every fill once with its role, and leaves the newest second until it no longer changes", async () => {
    let until = 8;
    const feed = v2Feed(() => world(until), isTaker);
    const pull = (cursor: Cursor | undefined) => polymarketTradesDataStream.pull(pullOptions(feed, { cursor }));
    const first = await collect(pull(undefined));
    expect(first.cursor).toEqual({ newest: START + 7, seen: START + 8 });
    expect(first.batches.at(-1)).toMatchObject({ reached: "2026-01-01T00:00:07Z", isCaughtUp: true });
    until = 60;
    const second = await collect(pull(first.cursor));
    const third = await collect(pull(second.cursor));
    expect(third.cursor).toEqual({ newest: START + 60, seen: START + 60 });
    const rows = [first, second, third].flatMap((one) => one.of(polymarketFills));
    const unique = new Map(rows.map((one) => [key(one), one]));
    expect(unique.size).toBeGreaterThanOrEqual(3 * 52);
    for (const one of unique.values()) expect(one["role"]).toBe(one["wallet"] === OTHER ? "maker" : "taker");
    expect([first, second, third].some((one) => one.batches.some((batch) => batch.gap))).toBe(false);
    for (const { query } of feed.calls) expect(query.get("filter_amount")).toBe("0.000001");
    expect(new Set(feed.calls.map(({ query }) => String(query))).size).toBeGreaterThan(10);
  });

  it("leaves late fills without a listed taker to the next cycle, and stores no role as unknown", async () => {
    let [hidden, isReported] = [new Set([START + 40, START + 41]), true];
    const feed = v2Feed(
      () => world(60).filter((one) => !hidden.has(one.timestamp)),
      (one) => isTaker(one) && (isReported || one.timestamp !== START + 41),
    );
    const pull = (cursor: Cursor | undefined) => polymarketTradesDataStream.pull(pullOptions(feed, { cursor }));
    const first = await collect(pull({ newest: START + 30, seen: START + 60 }));
    expect(first.cursor).toEqual({ newest: START + 60, seen: START + 60 });
    // First a page of the full feed is missing, then one of the takers'.
    [hidden, isReported] = [new Set(), false];
    const second = await collect(pull(first.cursor));
    expect(second.cursor).toEqual({ newest: START + 60, seen: START + 60 });
    isReported = true;
    const third = await collect(pull(second.cursor));
    const rows = [first, second, third].map((one) => one.of(polymarketFills));
    const secondsOf = (of: number) => new Set(rows[of]?.map(({ ts }) => Date.parse(String(ts)) / 1000));
    expect([40, 41].map((at) => secondsOf(1).has(START + at))).toEqual([true, false]);
    expect(secondsOf(2)).toContain(START + 41);
    for (const one of rows.flat()) expect(one["role"]).toBe(one["wallet"] === OTHER ? "maker" : "taker");
  });

  it("waits in its first cycle for a takers' feed that is still empty", async () => {
    const feed = v2Feed(
      () => world(20),
      () => false,
    );
    const first = await collect(polymarketTradesDataStream.pull(pullOptions(feed)));
    expect(first.of(polymarketFills)).toEqual([]);
    expect(first.batches).toEqual([{ rows: [], cursor: {}, isCaughtUp: true }]);
  });

  it("reports a gap when the feed no longer reaches back far enough", async () => {
    const feed = v2Feed(() => world(600).slice(0, 300), isTaker);
    const all = await collect(
      polymarketTradesDataStream.pull(pullOptions(feed, { cursor: { newest: START + 100, seen: START + 100 } })),
    );
    expect(all.batches.at(-1)?.gap).toEqual({
      from: "2026-01-01T00:01:40Z",
      to: "2026-01-01T00:08:21Z",
      reason: "the trades feed did not reach back",
    });
  });

  it("refuses has_more without a cursor, and a repeated cursor", async () => {
    const torn = onePage({ limit: 1, offset: 0, has_more: true, next_cursor: null });
    await expect(collect(polymarketTradesDataStream.pull(pullOptions(torn)))).rejects.toThrow(/must agree/);
    const stuck = onePage({ limit: 1, offset: 0, has_more: true, next_cursor: "x" });
    await expect(collect(polymarketTradesDataStream.pull(pullOptions(stuck)))).rejects.toThrow(/same cursor/);
    const turning = memoryFeed({
      get: (_call, query) => {
        if (turning.calls.length > 20) throw new Error("it walks in a circle");
        const next = query.get("cursor") === "a" ? "b" : "a";
        return { data: [], pagination: { limit: 1, offset: 0, has_more: true, next_cursor: next } };
      },
    });
    await expect(collect(polymarketTradesDataStream.pull(pullOptions(turning)))).rejects.toThrow(/same cursor/);
  });

  it("backfills a range market by market and continues after an interruption", async () => {
    const start = Date.UTC(2026, 0, 2) / 1000;
    const rows = Array.from({ length: 50 }, (_, index) =>
      row(start + 49 - index, { condition_id: market(1).conditionId }),
    );
    const data = memoryFeed({
      get: (_call, query) => ({
        data: query.get("condition")?.includes(market(1).conditionId) ? rows : [],
        pagination: { limit: 1000, offset: 0, has_more: false, next_cursor: null },
      }),
    });
    const gamma = memoryFeed({
      get: (_call, query) =>
        query.get("closed") === "true"
          ? { markets: [market(9, { closed: true, closedTime: "2025-12-01 00:00:00+00" })] }
          : { markets: [market(1), market(2, { createdAt: "2026-03-01T00:00:00Z" })] },
    });
    const range = {
      from: new Date((start + 10) * 1000).toISOString(),
      to: new Date((start + 19) * 1000).toISOString(),
    };
    const options = pullOptions(data, { range, also: { "polymarket-gamma": gamma } });
    const all = await collect(polymarketTradesDataStream.pull(options));
    expect(all.of(polymarketFills)).toHaveLength(10);
    expect(data.calls.map(({ query }) => query.get("condition"))).toEqual([
      market(1).conditionId,
      market(1).conditionId,
    ]);
    expect(all.batches.at(-1)).toMatchObject({ reached: range.to, since: range.from, isCaughtUp: true });
    const again = await collect(
      polymarketTradesDataStream.pull({ ...options, cursor: { closed: true, after: null, done: false } }),
    );
    expect(again.of(polymarketFills)).toEqual([]);
  });

  it.each([
    ["a page of the takers' is left out once", 1, "taker"],
    ["it is left out each time", Infinity, "unknown"],
  ])("backfills each fill once and retries a walk if %s", async (_what, times, role) => {
    const start = Date.UTC(2026, 0, 2) / 1000;
    const rows = Array.from({ length: 12 }, (_, index) => row(start + 11 - index));
    let left = times;
    const data = v2Feed(
      () => rows,
      (one) => one.timestamp !== start + 5 || (left -= 1) < 0,
      // A walk over the takers is one call.
      rows.length,
    );
    const gamma = memoryFeed({
      get: (_call, query) => ({ markets: query.get("closed") === "true" ? [] : [market(1)] }),
    });
    const range = { from: new Date(start * 1000).toISOString(), to: new Date((start + 11) * 1000).toISOString() };
    const options = pullOptions(data, { range, also: { "polymarket-gamma": gamma } });
    const stored = (await collect(polymarketTradesDataStream.pull(options))).of(polymarketFills);
    const roles = new Map(stored.map((one) => [one["ts"], one["role"]]));
    expect(roles.size).toBe(12);
    expect(new Set(roles.values())).toEqual(new Set(["taker", role]));
    expect(roles.get(new Date((start + 5) * 1000).toISOString().replace(".000Z", "Z"))).toBe(role);
  });

  it("repeats the walk of the markets that lack a taker's fill, not of those requested with them", async () => {
    const start = Date.UTC(2026, 0, 2) / 1000;
    const rows = [2, 1].map((id) => row(start + id, { condition_id: market(id).conditionId }));
    const isOfFirst = (one: Row): boolean => one.condition_id === market(1).conditionId;
    const data = memoryFeed({
      get: (_call, query) => ({
        data: rows
          .filter((one) => query.get("condition")?.includes(one.condition_id))
          .filter((one) => query.get("taker_only") === "false" || isOfFirst(one)),
        pagination: { limit: 1000, offset: 0, has_more: false, next_cursor: null },
      }),
    });
    const gamma = memoryFeed({
      get: (_call, query) => ({ markets: query.get("closed") === "true" ? [] : [market(1), market(2)] }),
    });
    const range = { from: new Date(start * 1000).toISOString(), to: new Date((start + 11) * 1000).toISOString() };
    const options = pullOptions(data, { range, also: { "polymarket-gamma": gamma } });
    const stored = (await collect(polymarketTradesDataStream.pull(options))).of(polymarketFills);
    expect(stored.map(({ role }) => role)).toEqual(["taker", "unknown"]);
    const walks = data.calls.filter(({ query }) => query.get("taker_only") === "false");
    const [first, second] = [market(1).conditionId, market(2).conditionId];
    expect(walks.map(({ query }) => query.get("condition"))).toEqual([`${first},${second}`, second, second]);
  });
});

const hashes = (rows: readonly Row[]) =>
  new Set(
    toDataFills(itemsOf(rows), () => "maker")[0]?.rows.map(
      (one) => `${String(one["order_hash"])} ${String(one["usd"])}`,
    ),
  );

describe("derived order hashes", () => {
  it("distinguish identical fills of a transaction and do not depend on the feed's version or order", () => {
    const twins = [row(START), row(START), row(START, { price: 0.2 })];
    expect(hashes(twins).size).toBe(3);
    expect(hashes(twins.toReversed())).toEqual(hashes(twins));
    const fill = {
      tx_hash: "0xAB",
      wallet: "0xCD",
      token_id: "1",
      side: "BUY",
      sharesMicro: 1n,
      occurrence: 0,
    } as const;
    expect(derivedOrderHash(fill)).toBe(derivedOrderHash({ ...fill, tx_hash: "0xab", wallet: "0xcd" }));
    expect(derivedOrderHash(fill)).toMatch(/^0x[0-9a-f]{64}$/);
    for (const other of [{ occurrence: 1 }, { side: "SELL" }, { sharesMicro: 2n }, { token_id: "2" }] as const) {
      expect(derivedOrderHash({ ...fill, ...other })).not.toBe(derivedOrderHash(fill));
    }
  });
});

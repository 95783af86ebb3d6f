import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { servePolymarket } from "../../../../exchange/src/polymarket/serve-polymarket.ts";
import { createWorld } from "../../../../exchange/src/world/create-world.ts";
import type { World } from "../../../../exchange/src/world/world.ts";
import { activitySession } from "../../../src/connectors/polymarket/rtds/activity-session.ts";
import { polymarketTradesChainStream } from "../../../src/connectors/polymarket/trades-chain.ts";
import { polymarketTradesDataStream } from "../../../src/connectors/polymarket/trades-data.ts";
import { polymarketTradesRtdsStream } from "../../../src/connectors/polymarket/trades-rtds.ts";
import type { Cursor, Decoded } from "../../../src/definition/connector.ts";
import { fromDefinition } from "../../../src/definition/sql.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { polymarketEarlyFills } from "../../../src/tables/polymarket-early-fills.ts";
import { polymarketTokens } from "../../../src/tables/polymarket-tokens.ts";
import { openTestQuery } from "../../fixtures/open-test-query.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { httpFeed } from "./http-feed.ts";
import { collect, pullOptions } from "./memory-feed.ts";
import { absent, recordedJson } from "./recorded.ts";

const fillsOf = (decoded: Decoded): readonly InsertRow[] =>
  decoded.rows.filter(({ table }) => table === polymarketEarlyFills).flatMap(({ rows }) => rows);

const payload = {
  proxyWallet: "0x29bc82f761749E67fa00D62896bC6855097b683C",
  side: "BUY",
  asset: "112313203800236648856331212946197233566221210028691505424844865917309418995862",
  conditionId: "0x15b1225e863600684b5e8845490881dbf43c2201bf6f7844f7caaf9415e6ef01",
  size: 50.5,
  price: 0.49,
  timestamp: 1_766_038_581,
  slug: "eth-updown-15m-1766038500",
  outcome: "Up",
  outcomeIndex: 0,
  transactionHash: `0x${"ab".repeat(32)}`,
};
const message = (type: string, more: object = {}): string =>
  JSON.stringify({
    connection_id: "x",
    topic: "activity",
    type,
    timestamp: 1_766_038_581_067,
    payload: { ...payload, ...more },
  });

describe("RTDS", () => {
  it("asks for every type of the topic, and reads greeting and heartbeat as nothing", () => {
    const session = activitySession();
    expect(session.subscribe(["activity"]).map((frame) => JSON.parse(frame) as unknown)).toEqual([
      { action: "subscribe", subscriptions: [{ topic: "activity", type: "*" }] },
    ]);
    expect(session.decode("", 0)).toEqual({ rows: [] });
    expect(polymarketTradesRtdsStream.isData?.("")).toBe(false);
  });

  it("makes one row of a taker's two messages, whatever second each says, and tells makers from takers", () => {
    const session = activitySession();
    const [matched] = fillsOf(session.decode(message("orders_matched"), 0));
    expect(matched).toMatchObject({
      ts: "2025-12-18T06:16:21Z",
      wallet: payload.proxyWallet.toLowerCase(),
      role: "taker",
      shares: "50.5",
      usd: "24.745",
      block_number: 0,
      source: "rtds",
    });
    const [again] = fillsOf(session.decode(message("trades", { timestamp: payload.timestamp + 1 }), 0));
    expect(again).toEqual(matched);
    const [maker] = fillsOf(session.decode(message("trades", { proxyWallet: `0x${"1".repeat(40)}` }), 0));
    expect(maker).toMatchObject({ role: "maker" });
    const [early] = fillsOf(session.decode(message("trades", { transactionHash: `0x${"cd".repeat(32)}` }), 0));
    expect(early).toMatchObject({ role: "unknown" });
  });

  it.each([
    ["no JSON", "{"],
    ["another topic", JSON.stringify({ topic: "comments", type: "comment_created", payload: {} })],
    ["another type", message("trades_v2")],
    ["no transaction", message("trades", { transactionHash: undefined })],
    ["a size that is no number", message("trades", { size: "many" })],
  ])("refuses a frame with %s", (_what, frame) => {
    expect(() => activitySession().decode(frame, 0)).toThrow();
  });

  it.skipIf(absent)("reads the recorded message, but for the transaction hash that the recording was cut of", () => {
    const recorded = recordedJson<{ payload: object }>("rtds/activity_orders_matched_2025-12-18.json");
    expect(() => activitySession().decode(JSON.stringify(recorded), 0)).toThrow(/transactionHash/);
    const whole = {
      ...recorded,
      payload: { ...recorded.payload, slug: "s", outcomeIndex: 0, transactionHash: payload.transactionHash },
    };
    expect(fillsOf(activitySession().decode(JSON.stringify(whole), 0))).toMatchObject([
      { wallet: "0x29bc82f761749e67fa00d62896bc6855097b683c", side: "BUY", role: "taker", shares: "50", usd: "24.5" },
    ]);
  });
});

describe("RTDS of the paper Polymarket", { timeout: 120_000 }, () => {
  let now = Date.UTC(2026, 10, 19);
  let world: World;
  let served: Awaited<ReturnType<typeof servePolymarket>>;
  let store: Awaited<ReturnType<typeof openTestStore>>;
  beforeAll(async () => {
    const small = { events: 10, wallets: 150, activity: 0.3, kalshi_markets: 2 };
    world = createWorld({ seed: 11, clock: () => now, from_ms: now - 86_400_000, days: 1, ...small });
    served = await servePolymarket({ world, data: { cdn: false }, rtds: { missing_per_mille: 0 } });
    store = await openTestStore();
  });
  afterAll(async () => {
    await store.close();
    await served.close();
  });

  const put = async (decoded: Pick<Decoded, "rows">): Promise<void> => {
    for (const { table, rows, mode } of decoded.rows) await store.insert(table, rows, mode);
  };
  /** How many rows of 556 since a moment of the world have a block, and how many have none. */
  const answered = async (sinceMs: number): Promise<{ read: number; early: number }> => {
    const params = { start_time: new Date(sinceMs).toISOString() };
    const rows = await openTestQuery(store).rows(556, { params, pagination: { limit: 10_000 } });
    const read = rows.filter((row) => row["block_number"] !== null).length;
    return { read, early: rows.length - read };
  };
  const countFills = async (sinceMs: number): Promise<number> => {
    const found = await store.rows<{ n: number }>(
      fromDefinition(
        `SELECT toUInt32(count()) AS n FROM polymarket_fills WHERE ts >= toDateTime(${Math.floor(sinceMs / 1000)})`,
      ),
    );
    return found[0]?.n ?? 0;
  };

  /** What RTDS says while so much world time passes, stored. */
  async function hear(ms: number): Promise<void> {
    const session = activitySession();
    const rows: InsertRow[] = [];
    const tokens: InsertRow[] = [];
    let frames = 0;
    const socket = new WebSocket(served.urls.rtds);
    socket.on("message", (data) => {
      frames += 1;
      const decoded = session.decode((data as Buffer).toString(), now);
      rows.push(...fillsOf(decoded));
      tokens.push(...decoded.rows.filter(({ table }) => table === polymarketTokens).flatMap((part) => part.rows));
    });
    const ping = async (): Promise<void> => {
      const before = frames;
      socket.send("PING");
      await expect.poll(() => frames).toBeGreaterThan(before);
    };
    await new Promise((resolve) => socket.once("open", resolve));
    for (const frame of session.subscribe([])) socket.send(frame);
    await ping();
    now += ms;
    world.advanceTo(now);
    await ping();
    socket.close();
    expect(rows.length).toBeGreaterThan(20);
    await put({ rows: [{ table: polymarketEarlyFills, rows }] });
    await put({ rows: [{ table: polymarketTokens, rows: tokens, mode: "if_absent" }] });
  }

  const chain = async (cursor?: Cursor) => {
    const taken = await collect(polymarketTradesChainStream.pull(pullOptions(httpFeed(served.urls.rpc), { cursor })));
    for (const batch of taken.batches) await put(batch);
    return taken.cursor;
  };
  const dataApi = async (cursor?: Cursor) => {
    const taken = await collect(
      polymarketTradesDataStream.pull(pullOptions(httpFeed(served.urls.data), { cursor, now: () => now })),
    );
    for (const batch of taken.batches) await put(batch);
    return taken.cursor;
  };

  it("answers a fill before its block is read, and nothing of it once the chain has told", async () => {
    const cursor = await chain();
    const since = now;
    await hear(1_800_000);
    expect(await countFills(since)).toBe(0);
    const early = await answered(since);
    expect(early).toEqual({ read: 0, early: expect.any(Number) as number });
    expect(early.early).toBeGreaterThan(20);
    // With the market its message named.
    const newest = world.polymarket.matches.findLast(({ ms }) => ms < now - 10_000);
    const rows = await openTestQuery(store).rows(556, { params: { condition_id: newest?.market.condition_id ?? "" } });
    const legs = rows.filter((row) => String(row["id"]).startsWith(String(newest?.tx_hash)));
    expect(legs.map((row) => row["proxy_wallet"]).toSorted()).toEqual(
      [newest?.taker, ...(newest?.makers ?? [])].map((leg) => leg?.wallet).toSorted(),
    );
    now += 60_000;
    world.advanceTo(now);
    await chain(cursor);
    const after = await answered(since);
    expect(after).toEqual({ read: await countFills(since), early: 0 });
    expect(after.read).toBeGreaterThanOrEqual(early.early);
  });

  it("gives way to the Data API too, and the chain takes the place of both", async () => {
    const cursor = await chain();
    const since = now;
    await hear(1_800_000);
    now += 120_000;
    world.advanceTo(now);
    // The newest second is left for a second turn.
    await dataApi(await dataApi());
    const beside = await countFills(since);
    expect(beside).toBeGreaterThan(20);
    expect(await answered(since)).toEqual({ read: 0, early: beside });
    await chain(cursor);
    expect(await answered(since)).toEqual({ read: await countFills(since), early: 0 });
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { servePolymarket } from "../../../../exchange/src/polymarket/serve-polymarket.ts";
import { createWorld } from "../../../../exchange/src/world/create-world.ts";
import type { World } from "../../../../exchange/src/world/world.ts";
import { polymarketTradesChainStream } from "../../../src/connectors/polymarket/trades-chain.ts";
import { polymarketTradesDataStream } from "../../../src/connectors/polymarket/trades-data.ts";
import type { Cursor, PullConnector } from "../../../src/definition/connector.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { derivedOrderHash } from "../../../src/definition/derived-order-hash.ts";
import { polymarketFills } from "../../../src/tables/polymarket-fills.ts";
import { hex } from "../../fixtures/sample-rows.ts";
import { openTestQuery } from "../../fixtures/open-test-query.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { httpFeed } from "./http-feed.ts";
import { collect, pullOptions } from "./memory-feed.ts";

const MINUTE_MS = 60_000;

describe("the id of a trade", () => {
  let now = Date.UTC(2026, 10, 19);
  let world: World;
  let served: Awaited<ReturnType<typeof servePolymarket>>;
  let store: Awaited<ReturnType<typeof openTestStore>>;
  beforeAll(async () => {
    const small = { events: 10, wallets: 150, activity: 0.6, kalshi_markets: 2 };
    world = createWorld({ seed: 11, clock: () => now, from_ms: now - 3_600_000, days: 1 / 24, ...small });
    served = await servePolymarket({ world, data: { cdn: false } });
    store = await openTestStore();
  });
  afterAll(async () => {
    await store.close();
    await served.close();
  });

  const take = async (stream: PullConnector, url: string, cursor?: Cursor) => {
    const taken = await collect(stream.pull(pullOptions(httpFeed(url), { cursor, now: () => now })));
    for (const { rows } of taken.batches) for (const each of rows) await store.insert(each.table, each.rows, each.mode);
    return taken.cursor;
  };
  const answered = async () => {
    const rows = await openTestQuery(store).rows(556, { pagination: { limit: 10_000 } });
    return new Map(rows.map((row) => [String(row["id"]), row]));
  };

  it("from the Data API stays the same once the chain is read, and the order hash is a separate field", async () => {
    const first = await take(polymarketTradesDataStream, served.urls.data);
    await take(polymarketTradesDataStream, served.urls.data, first);
    const before = await answered();
    expect(before.size).toBeGreaterThan(100);
    now += 10 * MINUTE_MS;
    world.advanceTo(now);
    await take(polymarketTradesChainStream, served.urls.rpc);
    const after = await answered();
    const orders = new Set<string>(
      world.polymarket.matches.flatMap((match) =>
        [...match.makers, match.taker].map((leg) => `${match.tx_hash}_${leg.order_hash}`),
      ),
    );
    const read = [...after].filter(([, row]) => row["block_number"] !== null);
    for (const [id, row] of read) {
      const order = `${String(row["transaction_hash"])}_${String(row["order_hash"])}`;
      expect(orders.has(order)).toBe(true);
      expect(before.has(id) || id === order).toBe(true);
    }
    expect(read.filter(([id]) => before.has(id)).length).toBeGreaterThan(20);
    expect(read.filter(([id]) => !before.has(id)).length).toBeGreaterThan(20);
    const changing = new Set(["order_hash", "block_number", "fee_usd", "usd", "price"]);
    const rest = (row: Readonly<Record<string, unknown>> | undefined) =>
      Object.entries(row ?? {}).filter(([field]) => !changing.has(field));
    for (const [id, row] of before) expect(rest(after.get(id))).toEqual(rest(row));
  });

  it("differs between identical fills of a transaction, and the lower notional has the first one", async () => {
    const tx = hex(991);
    const leg = (place: number, usd: string, more: InsertRow): InsertRow => ({
      ts: Math.floor(now / 1000),
      tx_hash: tx,
      wallet: hex(5, 40),
      token_id: "12345678901234567890123456789",
      side: "SELL",
      role: "maker",
      match_kind: "unknown",
      shares: "20000000.000001",
      usd,
      fee_usd: "0",
      ...more,
      order_hash: more["order_hash"] ?? hex(800 + place),
    });
    const named = (occurrence: number) =>
      derivedOrderHash({
        tx_hash: tx,
        wallet: hex(5, 40),
        token_id: "12345678901234567890123456789",
        side: "SELL",
        sharesMicro: 20_000_000_000_001n,
        occurrence,
      });
    const hashless = { block_number: 0, log_index: 0, source: "data_api_v2", alike_number: 0 };
    await store.insert(
      polymarketFills,
      [0, 1].map((place) => leg(place, String(5 + place), { ...hashless, order_hash: named(place) })),
    );
    const reported = [named(0), named(1)].map((hash) => `${tx}_${hash}`);
    const idsOf = async () => {
      const rows = await openTestQuery(store).rows(556, { params: { proxy_wallet: hex(5, 40) } });
      return rows.toSorted((a, b) => Number(a["usd"]) - Number(b["usd"])).map((row) => row["id"]);
    };
    expect(await idsOf()).toEqual(reported);
    const chain = { block_number: 7, log_index: 1, source: "chain_v2" };
    const whole = [
      leg(0, "5", { ...chain, alike_number: 1 }),
      leg(1, "6", { ...chain, alike_number: 2 }),
      leg(2, "7", { ...chain, tx_hash: hex(992), alike_number: 1 }),
    ];
    expect(await store.insert(polymarketFills, whole)).toMatchObject({ stored: 3, replaced: 2 });
    // A trade first reported by the chain is identified by its order, whatever else the batch contains.
    expect(await idsOf()).toEqual([...reported, `${hex(992)}_${hex(802)}`]);
    expect(await store.insert(polymarketFills, whole)).toMatchObject({ stored: 0, known: 3 });
    expect(await idsOf()).toEqual([...reported, `${hex(992)}_${hex(802)}`]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { servePolymarket } from "../../../../exchange/src/polymarket/serve-polymarket.ts";
import { createWorld } from "../../../../exchange/src/world/create-world.ts";
import type { MatchHappening } from "../../../../exchange/src/world/contract.ts";
import type { World } from "../../../../exchange/src/world/world.ts";
import { toSpans } from "../../../src/connectors/polymarket/check/compare-fills.ts";
import { polymarketTradesChainStream } from "../../../src/connectors/polymarket/trades-chain.ts";
import { polymarketTradesCheckStream } from "../../../src/connectors/polymarket/trades-check.ts";
import type { Batch, Cursor, Feed } from "../../../src/definition/connector.ts";
import { readPage } from "../../../src/definition/read-page.ts";
import { fromDefinition } from "../../../src/definition/sql.ts";
import { saveBatch } from "../../../src/ingest/control/save-batch.ts";
import { createStoredFills } from "../../../src/ingest/stored-fills.ts";
import { reportCompared } from "../../../src/ingest/stream-watch.ts";
import { polymarketFills } from "../../../src/tables/polymarket-fills.ts";
import { openEngines } from "../../ingest/open-engines.ts";
import { httpFeed } from "./http-feed.ts";
import { collect, pullOptions } from "./memory-feed.ts";

type Log = { transactionHash: string };
const nothing = (): boolean => false;

/** A node that omits the logs of some transactions. */
function hiding(feed: Feed, isHidden: (txHash: string) => boolean): Feed {
  return {
    ...feed,
    rpc: async (method, params, reply) => {
      const answer = await feed.rpc(method, params, z.unknown());
      if (method !== "eth_getLogs") return reply.parse(answer);
      return reply.parse((answer as Log[]).filter(({ transactionHash }) => !isHidden(transactionHash)));
    },
  };
}

type Row = { transaction_hash: string; side: string };

const oneRow = ([name, value]: readonly [string, string]): readonly [string, string] => [
  name,
  name === "limit" ? "1" : value,
];

/** The Data API with one row a page, in which the first row of a transaction has no readable side. */
function unreadable(feed: Feed, txHash: string): Feed {
  let damaged: string | undefined;
  return {
    ...feed,
    get: async (call, reply) => {
      const query = (call.query ?? []).map(oneRow);
      const page = (await feed.get({ ...call, query }, z.unknown())) as { data: Row[] };
      const isFull = query.some(([name, value]) => name === "taker_only" && value === "false");
      for (const row of page.data) {
        if (!isFull || row.transaction_hash !== txHash) continue;
        damaged ??= JSON.stringify(row);
        if (damaged === JSON.stringify(row)) row.side = "neither";
      }
      const read = readPage(reply, page);
      if (read.kind === "refused") throw new Error(read.wrong.problem);
      return read.data;
    },
  };
}

describe("the check of the chain against the Data API", () => {
  let now = Date.UTC(2026, 10, 19);
  let world: World;
  let served: Awaited<ReturnType<typeof servePolymarket>>;
  let engines: Awaited<ReturnType<typeof openEngines>>;
  beforeAll(async () => {
    const small = { events: 10, wallets: 150, activity: 0.6, kalshi_markets: 2 };
    world = createWorld({ seed: 11, clock: () => now, from_ms: now - 86_400_000, days: 1, ...small });
    served = await servePolymarket({ world, data: { cdn: false } });
    engines = await openEngines();
  });
  afterAll(async () => {
    await engines.close();
    await served.close();
  });

  const store = async (stream: string, batches: readonly Batch[]): Promise<void> => {
    for (const batch of batches) {
      for (const { table, rows, mode } of batch.rows) await engines.store.insert(table, rows, mode);
      await saveBatch(engines.db, stream, batch, 0, new Date(now));
    }
  };
  const chain = async (
    cursor: Cursor | undefined,
    isHidden: (txHash: string) => boolean,
  ): Promise<Cursor | undefined> => {
    const feed = hiding(httpFeed(served.urls.rpc), isHidden);
    const taken = await collect(polymarketTradesChainStream.pull(pullOptions(feed, { cursor })));
    await store(polymarketTradesChainStream.name, taken.batches);
    return taken.cursor;
  };
  const check = async (cursor?: Cursor, feed = httpFeed(served.urls.data)) => {
    const storedFills = createStoredFills(engines.store, engines.db);
    const options = pullOptions(feed, { cursor, now: () => now, storedFills });
    const taken = await collect(polymarketTradesCheckStream.pull(options));
    await store(polymarketTradesCheckStream.name, taken.batches);
    return taken;
  };
  const gaps = () => engines.db.selectFrom("gaps").selectAll().orderBy("from_at").execute();
  const between = (from: number, to: number): MatchHappening[] =>
    world.polymarket.matches.filter(({ block_ms }) => block_ms > from * 1000 && block_ms <= to * 1000);

  it("compares nothing before the chain stream has stored anything", async () => {
    const { batches } = await check();
    expect(batches).toEqual([{ rows: [], cursor: {}, isCaughtUp: true }]);
  });

  it("counts agreement, stores hidden fills as provisional rows, and records a gap of the chain stream", async () => {
    const cursor = await chain(undefined, nothing);
    const first = await check();
    const compared = first.batches.at(-1)?.compared;
    expect(compared).toMatchObject({ missing: 0, unlisted: 0 });
    expect(await gaps()).toEqual([]);
    const checked = Number(first.cursor?.["checked"]);

    const known = now / 1000;
    now += 1_800_000;
    world.advanceTo(now);
    const all = between(known, now / 1000 - 400);
    const hidden = new Set(all.filter((_, index) => index % 4 === 1).map(({ tx_hash }) => String(tx_hash)));
    expect(hidden.size).toBeGreaterThan(2);
    await chain(cursor, (txHash) => hidden.has(txHash));
    const second = await check(first.cursor);
    const to = Number(second.cursor?.["checked"]);
    const expected = between(checked, to);
    expect(second.batches.at(-1)?.compared).toEqual({
      agreed: expected.filter(({ tx_hash }) => !hidden.has(tx_hash)).length,
      missing: hidden.size,
      unlisted: 0,
    });
    const written = await gaps();
    expect(new Set(written.map(({ stream }) => stream))).toEqual(new Set([polymarketTradesChainStream.name]));
    for (const { block_ms } of expected.filter(({ tx_hash }) => hidden.has(tx_hash))) {
      expect(written.some((gap) => gap.from_at.getTime() < block_ms && block_ms < Number(gap.to_at?.getTime()))).toBe(
        true,
      );
    }
    expect(written[0]?.reason).toMatch(/^the Data API has \d+ trades? that the chain walk did not return$/);
    const provisional = await engines.store.rows<{ tx: string; legs: number; takers: number }>(
      fromDefinition(
        `SELECT concat('0x', lower(hex(tx_hash))) AS tx, toUInt32(count()) AS legs, toUInt32(countIf(role = 'taker')) AS takers FROM ${polymarketFills.name} WHERE source = 'data_api_v2' GROUP BY tx_hash`,
      ),
    );
    expect(new Map(provisional.map(({ tx, legs }) => [tx, legs]))).toEqual(
      new Map(
        all.filter(({ tx_hash }) => hidden.has(tx_hash)).map((match) => [match.tx_hash, match.makers.length + 1]),
      ),
    );
    expect(provisional.every(({ takers }) => takers === 1)).toBe(true);

    // The gap is read again from a node that has the logs: the chain's rows replace the provisional ones.
    await chain(cursor, nothing);
    const left = await engines.store.rows<{ n: number }>(
      fromDefinition(`SELECT toUInt32(count()) AS n FROM polymarket_fills WHERE source = 'data_api_v2'`),
    );
    expect(left).toEqual([{ n: 0 }]);
    const third = await check({ checked });
    expect(third.batches.at(-1)?.compared).toEqual({ agreed: expected.length, missing: 0, unlisted: 0 });
  });

  it("leaves a transaction of which the Data API shows a leg that cannot be read to the walk over its gap", async () => {
    const known = now / 1000;
    now += 900_000;
    world.advanceTo(now);
    const match = between(known, now / 1000 - 400).findLast(({ makers }) => makers.length > 0);
    const hidden = String(match?.tx_hash);
    await chain(undefined, (txHash) => txHash === hidden);
    const { batches } = await check({ checked: known - 300 }, unreadable(httpFeed(served.urls.data), hidden));
    expect(batches.at(-1)?.compared).toMatchObject({ missing: 1 });
    const left = await engines.store.rows(
      fromDefinition(`SELECT 1 AS one FROM polymarket_fills WHERE tx_hash = unhex('${hidden.slice(2)}')`),
    );
    expect(left).toEqual([]);
    const reasons = batches.flatMap(({ gap }) => gap?.reason ?? []);
    expect(reasons).toEqual(["the Data API has 1 trade that the chain walk did not return"]);
    await chain(undefined, nothing);
  });

  it("counts rows that only the chain has, and reports every count", async () => {
    const reached = await engines.db
      .selectFrom("streams")
      .select("cursor")
      .where("name", "=", polymarketTradesCheckStream.name)
      .executeTakeFirstOrThrow();
    const to = Number((reached.cursor as Record<string, unknown>)["checked"]);
    const taken = await engines.store.rows<{ ts: number }>(
      fromDefinition(
        `SELECT toUInt32(toUnixTimestamp(max(ts))) AS ts FROM polymarket_fills WHERE toUnixTimestamp(ts) <= ${to}`,
      ),
    );
    const invented = {
      ts: taken[0]?.ts,
      tx_hash: `0x${"ee".repeat(32)}`,
      order_hash: `0x${"ee".repeat(32)}`,
      wallet: `0x${"ee".repeat(20)}`,
      token_id: "7",
      side: "BUY",
      role: "taker",
      match_kind: "mint",
      shares: "1",
      usd: "0.5",
      fee_usd: "0",
      block_number: 1,
      log_index: 1,
      source: "chain_v2",
    };
    await engines.store.insert(polymarketFills, [invented]);
    const compared = (await check({ checked: to - 600 })).batches.at(-1)?.compared;
    expect(compared).toMatchObject({ missing: 0, unlisted: 1 });
    if (compared === undefined) throw new Error("nothing was compared");
    expect(reportCompared(engines.metrics, "check", compared)).toContain("0 were missing, 1 only in the store");
  });
});

it("nearby seconds are merged into one span, and the number of spans is limited", () => {
  expect(toSpans([100, 30, 500, 90])).toEqual([
    { from: 30, to: 100 },
    { from: 500, to: 500 },
  ]);
  const many = toSpans(Array.from({ length: 100 }, (_, index) => index * 1000));
  expect(many).toHaveLength(20);
  expect(many.at(-1)?.to).toBe(99_000);
});

import { ListActivityResponseSchema, ListTradesResponseSchema } from "@polymarket/bindings/data";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contracts } from "../../src/polymarket/chain/contracts.ts";
import { openPaper, type Paper } from "./paper.ts";
import { recorded, recordedAbsent } from "./recorded.ts";

interface Page {
  data: Record<string, unknown>[];
  pagination: { limit: number; offset: number; has_more: boolean; next_cursor: string | null };
}

let paper: Paper;
let busiest: string;
beforeAll(async () => {
  paper = await openPaper();
  const { wallets } = paper.world.polymarket;
  const count = (address: string): number => paper.world.polymarket.activity(address).length;
  busiest = [...wallets].sort((a, b) => count(b.address) - count(a.address))[0]?.address ?? "";
});
afterAll(() => paper.served.close());

async function walk(path: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  let cursor = "";
  for (let pages = 0; pages < 500; pages += 1) {
    const { status, body } = await paper.get<Page>("data", path + cursor);
    expect(status).toBe(200);
    expect(body.pagination.has_more).toBe(body.pagination.next_cursor !== null);
    rows.push(...body.data);
    if (body.pagination.next_cursor === null) return rows;
    cursor = `&cursor=${body.pagination.next_cursor}`;
  }
  throw new Error("the cursor never ended");
}

const visible = (): number => Math.floor((paper.world.reached() - 3000) / 1000);

describe("/v2/trades", () => {
  test("the whole feed with taker_only=false is every leg of the world, newest first, none twice", async () => {
    const rows = await walk("/v2/trades?limit=1000&taker_only=false");
    const matches = paper.world.polymarket.matches.filter((match) => match.block_ms / 1000 <= visible());
    expect(rows).toHaveLength(matches.reduce((sum, match) => sum + match.makers.length + 1, 0));
    const times = rows.map((row) => row["timestamp"] as number);
    expect(times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0))).toBe(true);
    const shares = rows.reduce((sum, row) => sum + Math.round((row["size"] as number) * 1e6), 0);
    const legs = matches.flatMap((match) => [match.taker].concat(match.makers));
    expect(shares).toBe(legs.reduce((sum, leg) => sum + leg.shares_micro, 0));
  });

  test("by default only takers: one row a transaction", async () => {
    const rows = await walk("/v2/trades?limit=1000");
    const hashes = rows.map((row) => row["transaction_hash"]);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashes).toHaveLength(
      paper.world.polymarket.matches.filter((match) => match.block_ms / 1000 <= visible()).length,
    );
  });

  test("the official schema accepts a page; no row has an order hash", async () => {
    const { body } = await paper.get<Page>("data", "/v2/trades?limit=50&taker_only=false");
    expect(ListTradesResponseSchema.parse(body).items).toHaveLength(50);
    expect(body.data.some((row) => "order_hash" in row || "log_index" in row)).toBe(false);
  });

  test.skipIf(recordedAbsent !== false)("a row has the recorded fields and types", async () => {
    const [real = {}] = recorded<Record<string, unknown>[]>("data_api_v2/trades.partial.json");
    const { body } = await paper.get<Page>("data", "/v2/trades?limit=1");
    for (const [key, value] of Object.entries(real)) expect.soft(typeof body.data[0]?.[key], key).toBe(typeof value);
  });

  test("a trade in a market's first ten minutes has outcome_index 999 and no event", async () => {
    const rows = await walk("/v2/trades?limit=1000");
    const unknown = rows.filter((row) => row["outcome_index"] === 999);
    const young = paper.world.polymarket.matches.filter(
      ({ block_ms, market }) => block_ms - market.created_ms < 600_000 && block_ms / 1000 <= visible(),
    );
    expect(young.length).toBeGreaterThan(0);
    expect(unknown.map((row) => row["transaction_hash"]).sort()).toEqual(young.map((match) => match.tx_hash).sort());
    expect(unknown.every((row) => row["event_slug"] === "" && row["outcome"] !== "")).toBe(true);
  });

  test("start and end are honoured with a user and ignored without", async () => {
    const start = visible() - 3600;
    const mine = await walk(`/v2/trades?user=${busiest}&start=${start}&taker_only=false&limit=500`);
    const all = await walk(`/v2/trades?user=${busiest}&start=1&taker_only=false&limit=500`);
    expect(mine.length).toBeLessThan(all.length);
    expect(mine).toEqual(all.filter((row) => (row["timestamp"] as number) >= start));
    const { body } = await paper.get<Page>("data", `/v2/trades?end=${start - 86_400 * 300}&limit=1`);
    expect(body.data).toHaveLength(1);
  });

  test("a wallet's makers are missing unless taker_only=false", async () => {
    const taker = await walk(`/v2/trades?user=${busiest}&start=1&limit=1000`);
    const both = await walk(`/v2/trades?user=${busiest}&start=1&limit=1000&taker_only=false`);
    expect(both.length).toBeGreaterThan(taker.length);
  });

  test("filter_amount leaves out trades of fewer tokens", async () => {
    const { body } = await paper.get<Page>("data", "/v2/trades?filter_type=TOKENS&filter_amount=100&limit=100");
    expect(body.data.length).toBeGreaterThan(0);
    for (const row of body.data) expect(row["size"]).toBeGreaterThanOrEqual(100);
  });

  test("refuses offset, 21 conditions, a contract as user; a list of users finds nothing", async () => {
    const offset = await paper.get<Record<string, unknown>>("data", "/v2/trades?offset=100");
    expect(offset).toMatchObject({
      status: 400,
      body: { code: "invalid_request", parameter: "offset", retryable: false },
    });
    expect(offset.headers.get("x-trace-id")).toBe(offset.body["trace_id"]);
    const ids = paper.world.polymarket.markets.slice(0, 21).map((market) => market.condition_id);
    expect((await paper.get("data", `/v2/trades?condition=${ids.join(",")}`)).status).toBe(400);
    expect((await paper.get("data", `/v2/trades?condition=${ids.slice(0, 20).join(",")}`)).status).toBe(200);
    expect((await paper.get("data", `/v2/trades?user=${contracts.exchangeV2}`)).status).toBe(400);
    expect((await paper.get<Page>("data", `/v2/trades?user=${busiest},${busiest}`)).body.data).toEqual([]);
    expect((await paper.get("data", "/v2/trades?limit=1001")).status).toBe(400);
    expect((await paper.get("data", "/v2/nothing")).body).toMatchObject({ code: "not_found" });
  });
});

describe("/v2/activity", () => {
  test("is everything one wallet did, and parses", async () => {
    const rows = await walk(`/v2/activity?user=${busiest}&limit=1000`);
    const { body } = await paper.get("data", `/v2/activity?user=${busiest}&limit=100`);
    expect(ListActivityResponseSchema.parse(body).items).toHaveLength(Math.min(100, rows.length));
    const trades = rows.filter((row) => row["type"] === "TRADE");
    const both = await walk(`/v2/trades?user=${busiest}&start=1&limit=1000&taker_only=false`);
    expect(trades.map((row) => [row["transaction_hash"], row["size"]])).toEqual(
      both.map((row) => [row["transaction_hash"], row["size"]]),
    );
  });

  test("usdc_size of a V2 BUY includes the fee", async () => {
    const match = paper.world.polymarket.matches.findLast(
      ({ taker, exchange_version, block_ms }) =>
        taker.side === "BUY" && taker.fee_micro > 0 && exchange_version === "V2" && block_ms / 1000 <= visible(),
    );
    if (match === undefined) throw new Error("no taker paid a fee");
    const rows = await walk(`/v2/activity?user=${match.taker.wallet}&limit=1000&type=TRADE`);
    const row = rows.find(
      (each) =>
        each["transaction_hash"] === match.tx_hash &&
        each["side"] === "BUY" &&
        each["token_id"] === match.taker.token_id,
    );
    expect(row?.["usdc_size"]).toBe((match.taker.usd_micro + match.taker.fee_micro) / 1e6);
  });

  test("redemptions, splits and conversions parse, without token or side", async () => {
    const { wallets } = paper.world.polymarket;
    const seen = new Set<string>();
    for (const { address } of wallets) {
      for (const { kind } of paper.world.polymarket.activity(address)) {
        if (kind === "match" || seen.has(kind)) continue;
        seen.add(kind);
        const type = { split: "SPLIT", merge: "MERGE", redeem: "REDEEM", convert: "CONVERSION" }[kind];
        const { body } = await paper.get<Page>("data", `/v2/activity?user=${address}&type=${type}`);
        expect(ListActivityResponseSchema.parse(body).items.length).toBeGreaterThan(0);
        expect(body.data[0]).toMatchObject({ token_id: "", side: "", price: 0, outcome_index: 999 });
      }
    }
    expect(seen.has("redeem")).toBe(true);
  });

  test("income is account-level: rewards and rebates, page by page and by type", async () => {
    const paid = Map.groupBy(paper.world.income.all(), ({ wallet }) => wallet);
    const [user, own] = [...paid].toSorted((a, b) => b[1].length - a[1].length)[0] ?? ["", []];
    expect(new Set(own.map(({ type }) => type))).toEqual(new Set(["REWARD", "MAKER_REBATE"]));
    const path = `/v2/activity?user=${user}&type=REWARD,MAKER_REBATE,TAKER_REBATE,REFERRAL_REWARD,YIELD`;
    const rows = await walk(`${path}&limit=1`);
    expect(rows.map((row) => [row["type"], row["usdc_size"], row["transaction_hash"]])).toEqual(
      own.toReversed().map(({ type, amount_micro, tx_hash }) => [type, amount_micro / 1e6, tx_hash]),
    );
    for (const row of rows) expect(row).toMatchObject({ condition_id: "", token_id: "", side: "", price: 0 });
    const late = (own.at(-1)?.ms ?? 0) / 1000 + 1;
    const { body } = await paper.get<Page>("data", `/v2/activity?user=${user}&type=REWARD&start=${late}`);
    expect(ListActivityResponseSchema.parse(body).items).toEqual([]);
    const all = await walk(`/v2/activity?user=${user}&limit=1000`);
    expect(all.filter((row) => row["type"] === "MAKER_REBATE" || row["type"] === "REWARD")).toEqual(rows);
  });

  test("needs a user", async () => {
    expect((await paper.get("data", "/v2/activity")).status).toBe(400);
  });
});

import { ListActivityResponseSchema, ListTradesResponseSchema } from "@polymarket/bindings/data";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPaper, type Paper } from "./paper.ts";
import { recorded, recordedAbsent } from "./recorded.ts";

interface Page {
  data: Record<string, unknown>[];
  pagination: { limit: number; offset: number; has_more: boolean; next_cursor: string | null };
}

let paper: Paper;
beforeAll(async () => {
  paper = await openPaper();
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
  test("returns every leg of the world once, newest first, with taker_only=false", async () => {
    const rows = await walk("/v2/trades?limit=1000&taker_only=false");
    const matches = paper.world.polymarket.matches.filter((match) => match.block_ms / 1000 <= visible());
    expect(rows).toHaveLength(matches.reduce((sum, match) => sum + match.makers.length + 1, 0));
    const times = rows.map((row) => row["timestamp"] as number);
    expect(times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0))).toBe(true);
    const shares = rows.reduce((sum, row) => sum + Math.round((row["size"] as number) * 1e6), 0);
    const legs = matches.flatMap((match) => [match.taker].concat(match.makers));
    expect(shares).toBe(legs.reduce((sum, leg) => sum + leg.shares_micro, 0));
  });

  test("returns only takers by default: one row per transaction", async () => {
    const rows = await walk("/v2/trades?limit=1000");
    const hashes = rows.map((row) => row["transaction_hash"]);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashes).toHaveLength(
      paper.world.polymarket.matches.filter((match) => match.block_ms / 1000 <= visible()).length,
    );
  });

  test("returns pages that the official schema accepts, without order hashes", async () => {
    const { body } = await paper.get<Page>("data", "/v2/trades?limit=50&taker_only=false");
    expect(ListTradesResponseSchema.parse(body).items).toHaveLength(50);
    expect(body.data.some((row) => "order_hash" in row || "log_index" in row)).toBe(false);
  });

  test.skipIf(recordedAbsent !== false)("returns rows with the recorded fields and types", async () => {
    const [real = {}] = recorded<Record<string, unknown>[]>("data_api_v2/trades.partial.json");
    const { body } = await paper.get<Page>("data", "/v2/trades?limit=1");
    for (const [key, value] of Object.entries(real)) expect.soft(typeof body.data[0]?.[key], key).toBe(typeof value);
  });

  test("returns outcome_index 999 and no event for trades in a market's first ten minutes", async () => {
    const rows = await walk("/v2/trades?limit=1000");
    const unknown = rows.filter((row) => row["outcome_index"] === 999);
    const young = paper.world.polymarket.matches.filter(
      ({ block_ms, market }) => block_ms - market.created_ms < 600_000 && block_ms / 1000 <= visible(),
    );
    expect(young.length).toBeGreaterThan(0);
    expect(unknown.map((row) => row["transaction_hash"]).sort()).toEqual(young.map((match) => match.tx_hash).sort());
    expect(unknown.every((row) => row["event_slug"] === "" && row["outcome"] !== "")).toBe(true);
  });

  test("omits trades of fewer tokens than filter_amount", async () => {
    const { body } = await paper.get<Page>("data", "/v2/trades?filter_type=TOKENS&filter_amount=100&limit=100");
    expect(body.data.length).toBeGreaterThan(0);
    for (const row of body.data) expect(row["size"]).toBeGreaterThanOrEqual(100);
  });

  test("rejects offset, 21 conditions and too large a page with 400", async () => {
    const offset = await paper.get<Record<string, unknown>>("data", "/v2/trades?offset=100");
    expect(offset).toMatchObject({
      status: 400,
      body: { code: "invalid_request", parameter: "offset", retryable: false },
    });
    expect(offset.headers.get("x-trace-id")).toBe(offset.body["trace_id"]);
    const ids = paper.world.polymarket.markets.slice(0, 21).map((market) => market.condition_id);
    expect((await paper.get("data", `/v2/trades?condition=${ids.join(",")}`)).status).toBe(400);
    expect((await paper.get("data", `/v2/trades?condition=${ids.slice(0, 20).join(",")}`)).status).toBe(200);
    expect((await paper.get("data", "/v2/trades?limit=1001")).status).toBe(400);
    expect((await paper.get("data", "/v2/nothing")).body).toMatchObject({ code: "not_found" });
  });
});

describe("/v2/activity", () => {
  test("returns account-level income (rewards and rebates), paged and filtered by type", async () => {
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
    const whole = await paper.get("data", `${path}&limit=1000`);
    expect(ListActivityResponseSchema.parse(whole.body).items).toHaveLength(rows.length);
  });

  test("requires a user and types of income", async () => {
    expect((await paper.get("data", "/v2/activity?type=REWARD")).status).toBe(400);
    const user = paper.world.polymarket.wallets[0]?.address;
    expect((await paper.get("data", `/v2/activity?user=${user}`)).status).toBe(400);
    expect((await paper.get("data", `/v2/activity?user=${user}&type=TRADE`)).status).toBe(400);
  });
});

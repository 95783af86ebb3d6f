import { afterAll, beforeAll, expect, test } from "vitest";
import { openSampledQuery } from "../fixtures/open-sampled-query.ts";
import { SAMPLE_PARAMS } from "../fixtures/sample-rows.ts";

let store: Awaited<ReturnType<typeof openSampledQuery>>["store"];
let query: Awaited<ReturnType<typeof openSampledQuery>>["query"];
beforeAll(async () => {
  ({ store, query } = await openSampledQuery());
});
afterAll(() => store.close());

type Row = Readonly<Record<string, unknown>>;

async function walk(agentId: number, params: Readonly<Record<string, string>>, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const pagination = { limit, ...(cursor === null ? {} : { cursor }) };
    const page = await query.answer(agentId, { params, pagination });
    rows.push(...(JSON.parse(page.body.toString("utf8")) as Row[]));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}

test("556 accepts a duration before its end, with the same range throughout a walk", async () => {
  const [newest] = await query.rows(556);
  const end_time = String(newest?.["timestamp"]);
  const start_time = new Date(Date.parse(end_time) - 600_000).toISOString();
  const rows = await walk(556, { end_time, start_time }, 1000);
  expect(rows.length).toBeGreaterThan(1);
  expect(await walk(556, { end_time, lookback_seconds: "600" }, Math.ceil(rows.length / 3))).toEqual(rows);
  expect(await walk(556, { window_days: "10000" }, 1000)).toEqual(await walk(556, {}, 1000));
  expect(await query.rows(556, { params: { lookback_seconds: "1" } })).toEqual([]);
});

test("579 sorts by trades on request, in one page and by cursor, also for named wallets", async () => {
  const params = SAMPLE_PARAMS[579] ?? {};
  const ranked = await walk(579, params, 1000);
  const sorted = ranked.toSorted(
    (a, b) => Number(b["total_trades"]) - Number(a["total_trades"]) || Number(a["rank"]) - Number(b["rank"]),
  );
  const requested = { ...params, sort_by: "total_trades" };
  expect(await walk(579, requested, 1000)).toEqual(sorted);
  expect(await walk(579, requested, 2)).toEqual(sorted);
  const wallet_address = ranked.map((row) => String(row["address"])).join(",");
  expect(await walk(579, { ...requested, wallet_address }, 2)).toEqual(sorted);
});

test("568, 572, 575 and 585 accept a market's slug in place of its ids", async () => {
  const trades = (await query.rows(556)) as Record<string, string>[];
  const { condition_id = "", slug = "" } = trades.find((one) => typeof one["slug"] === "string") ?? {};
  const tokens = trades.filter((one) => one["slug"] === slug).map((one) => one["token_id"]);
  const market_slug = slug.toUpperCase();
  const bySlug = (agentId: number) => query.answer(agentId, { params: { market_slug } });
  expect((await bySlug(568)).params).toMatchObject({ token_id: expect.stringMatching(/^\d+$/) as string });
  expect(tokens).toContain((await bySlug(572)).params["token_id"]);
  expect((await bySlug(585)).params).toMatchObject({ condition_id });
  const rows = await query.rows(575, { params: { market_slug } });
  expect(rows).toEqual(await query.rows(575, { params: { condition_id } }));
  const trends = await query.rows(575, { params: { volume_trend: "DOWN" } });
  for (const row of trends) expect(row["volume_trend"]).toMatch(/Decline|Declining|Dying/);
});

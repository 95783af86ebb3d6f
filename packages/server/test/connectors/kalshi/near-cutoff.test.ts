import { afterEach, expect, it } from "vitest";
import { kalshiMarketsStream } from "../../../src/connectors/kalshi/markets.ts";
import { kalshiTradesStream } from "../../../src/connectors/kalshi/trades.ts";
import { httpFeed } from "./http-feed.ts";
import { runPull } from "./run-pull.ts";
import { scriptedVenue } from "./scripted-venue.ts";

const CUTOFF = Date.UTC(2026, 6, 28) / 1000;
const DAY = 86_400;
const STOPPED = CUTOFF + 1800;
const NOW = STOPPED + 2 * DAY;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const trade = (seconds: number, id: string) => ({
  trade_id: id,
  ticker: "T-1",
  created_time: iso(seconds),
  count_fp: "1.00",
  yes_price_dollars: "0.5000",
  no_price_dollars: "0.5000",
  taker_outcome_side: "yes",
});

/** Right after the cutoff the live tier lacks a trade that the historical tier has. */
const TIERS: Readonly<Record<string, readonly ReturnType<typeof trade>[]>> = {
  "/historical/trades": [trade(STOPPED + 600, "moved")],
  "/markets/trades": [trade(NOW, "head"), trade(STOPPED + DAY, "next"), trade(STOPPED, "last")],
};

let venue: Awaited<ReturnType<typeof scriptedVenue>>;
afterEach(() => venue.close());

async function open() {
  venue = await scriptedVenue((path, query) => {
    if (path === "/historical/cutoff")
      return { body: { market_settled_ts: iso(CUTOFF), trades_created_ts: iso(CUTOFF) } };
    const [from, to] = [Number(query.get("min_ts") ?? 0), Number(query.get("max_ts") ?? NOW)];
    const isIn = ({ created_time: at }: ReturnType<typeof trade>) => at >= iso(from) && at <= iso(to);
    const trades = (TIERS[path] ?? []).filter(isIn).slice(0, Number(query.get("limit")));
    return { body: { trades, markets: [], cursor: "" } };
  });
  return httpFeed(venue.url);
}

it("reports as a gap the trades near the cutoff that only the historical tier may have", async () => {
  const feed = await open();
  const { rows, batches } = await runPull(kalshiTradesStream, feed, {
    cursor: { last_ts: STOPPED },
    now: () => NOW * 1000,
  });
  expect(new Set(rows.map((row) => row["trade_id"]))).toEqual(new Set(["last", "next", "head"]));
  const gaps = batches.flatMap(({ gap }) => gap ?? []);
  expect(gaps).toHaveLength(1);
  const [{ from, to } = { from: "", to: "" }] = gaps;
  expect(Date.parse(from)).toBeLessThanOrEqual(STOPPED * 1000);
  const filled = await runPull(kalshiTradesStream, feed, { range: { from, to } });
  expect(filled.rows.map((row) => row["trade_id"])).toContain("moved");
});

it("reports as a gap the markets settled near the cutoff that only the historical tier may have", async () => {
  const feed = await open();
  const marks = { created_ts: STOPPED, updated_ts: STOPPED, closed_ts: STOPPED, settled_ts: STOPPED };
  const { last } = await runPull(kalshiMarketsStream, feed, {
    cursor: { ...marks, full_at: STOPPED },
    now: () => NOW * 1000,
  });
  expect(Date.parse(last?.gap?.from ?? "")).toBeLessThanOrEqual(STOPPED * 1000);
  expect(Date.parse(last?.gap?.to ?? "")).toBe((CUTOFF + 3600) * 1000);
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { lazy } from "./lazy.ts";
import { readCsv } from "./read-csv.ts";
import type { Recording } from "./recording.ts";

const MARKETS = "polymarket/captures/markets.json";
const PRICES = "polymarket/clob/prices_history_hourly_israel_pm_18_tokens_2026-06.csv.gz";
/** base64 of -1: the end of a CLOB list. */
const END = "LTE=";

interface Point {
  t: number;
  p: number;
}

/** CLOB `/markets`: its first page, word for word, then the end. `/prices-history`: 18 tokens, 168 hours of June 2026. */
export function clobPages(dir: string): Recording {
  const markets = lazy(async () => JSON.parse(await readFile(join(dir, MARKETS), "utf8")) as { limit: number });
  const prices = lazy(() => readPrices(dir));
  return {
    name: "clob-pages",
    service: "clob",
    async answer({ method, path, query }) {
      if (method !== "GET") return undefined;
      if (path === "/markets") {
        const first = ["", "MA=="].includes(query.get("next_cursor") ?? "");
        const page = await markets();
        return { body: first ? page : { data: [], next_cursor: END, limit: page.limit, count: 0 } };
      }
      const points = path === "/prices-history" ? (await prices()).get(query.get("market") ?? "") : undefined;
      if (!points) return undefined;
      const from = Number(query.get("startTs") ?? 0);
      const to = Number(query.get("endTs") ?? Infinity);
      return { body: { history: points.filter(({ t }) => t >= from && t <= to) } };
    },
  };
}

async function readPrices(dir: string): Promise<Map<string, Point[]>> {
  const prices = new Map<string, Point[]>();
  for await (const row of readCsv(join(dir, PRICES))) {
    const token = row["token_id"] ?? "";
    const points = prices.get(token) ?? [];
    points.push({ t: Date.parse(row["timestamp"] ?? "") / 1000, p: Number(row["price"]) });
    prices.set(token, points);
  }
  return prices;
}

import { join } from "node:path";
import { lazy } from "./lazy.ts";
import { readCsv } from "./read-csv.ts";
import type { RecordedReply, Recording } from "./recording.ts";

const FILE = "polymarket/data_api_v1/ibalgo/trades_raw_offset_trap_2025-10-10.csv.gz";
/** The recording's pages, and the offset of its last one: beyond it the server went on repeating that page. */
const PAGE_ROWS = 500;
const LAST_OFFSET = 4500;

type Trade = Record<string, string | number>;

/**
 * Data API v1 `/trades` of 2025-10-10: offset paging as it was recorded, 500 rows a page, the pages from offset 1000 on all
 * the same. A `market` or `user` narrows it to the unique rows of that market or wallet.
 */
export function dataTrades(dir: string): Recording {
  const load = lazy(() => readRecordedTrades(dir));
  return {
    name: "data-api-v1-trades",
    service: "data",
    async answer({ method, path, query }) {
      if (method !== "GET" || path !== "/trades") return undefined;
      const rows = await load();
      if (!query.has("market") && !query.has("user")) return page(rows, query);
      const found = narrowed(rows, query);
      return found.length === 0 ? undefined : page(found, query);
    },
  };
}

/** The 5,000 raw rows, typed as on the wire. */
async function readRecordedTrades(dir: string): Promise<Trade[]> {
  const rows: Trade[] = [];
  for await (const row of readCsv(join(dir, FILE))) {
    rows.push({
      ...row,
      size: Number(row["size"]),
      price: Number(row["price"]),
      timestamp: Number(row["timestamp"]),
      outcomeIndex: Number(row["outcomeIndex"]),
    });
  }
  return rows;
}

function page(rows: Trade[], query: URLSearchParams): RecordedReply {
  const limit = Math.min(Math.max(1, whole(query.get("limit"), 100)), PAGE_ROWS);
  const offset = whole(query.get("offset"), 0);
  if (offset > 10_000) return { status: 400, body: { error: "offset must be at most 10000" } };
  const start = rows.length > LAST_OFFSET ? Math.min(offset, LAST_OFFSET) : offset;
  return { body: rows.slice(start, start + limit) };
}

function narrowed(rows: Trade[], query: URLSearchParams): Trade[] {
  const markets = new Set((query.get("market") ?? "").split(",").filter((item) => item !== ""));
  const user = query.get("user")?.toLowerCase();
  // The first two pages and one of the repeated ones are all there is.
  return rows
    .slice(0, 3 * PAGE_ROWS)
    .filter((row) => markets.size === 0 || markets.has(String(row["conditionId"])))
    .filter((row) => user === undefined || row["proxyWallet"] === user);
}

function whole(text: string | null, fallback: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : fallback;
}

import { join } from "node:path";
import { readLines } from "./read-lines.ts";
import type { RecordedMessage } from "./recorded-message.ts";

const FILE = "polymarket/ws_market/btc_eth_5m_20260514T185726Z_N20.jsonl.gz";

interface TradeRow {
  type: "trade";
  token_id: string;
  condition_id: string;
  price: number;
  size: number;
  side: string;
  exchange_timestamp: string;
}

interface SampleRow {
  type: "sample";
  ts_utc: string;
  token_id: string;
  bids: [number, number][];
  asks: [number, number][];
}

/**
 * BTC and ETH five-minute markets of 2026-05-14: 60,612 trades as `last_trade_price` and 45,512 one-second samples of the
 * top ten levels as `book` (15,848 of them empty: the recorder had no book yet). Neither a book's hash nor a trade's
 * transaction was recorded.
 */
export async function* readFiveMinuteMessages(
  dir: string,
  assets?: ReadonlySet<string>,
): AsyncGenerator<RecordedMessage> {
  const conditions = await conditionsOf(dir);
  for await (const line of readLines(join(dir, FILE))) {
    const token = /"token_id": "(\d+)"/.exec(line)?.[1];
    if (token === undefined || (assets && !assets.has(token))) continue;
    const row = JSON.parse(line) as TradeRow | SampleRow;
    const frame = row.type === "trade" ? toTrade(row) : toBook(row, conditions.get(token) ?? "");
    yield { source: "btc_eth_5m", asset_ids: [token], frame: JSON.stringify(frame) };
  }
}

/** Only trades tell the condition; every token of the file has one. */
async function conditionsOf(dir: string): Promise<Map<string, string>> {
  const conditions = new Map<string, string>();
  for await (const line of readLines(join(dir, FILE))) {
    const match = /"token_id": "(\d+)", "condition_id": "(0x[0-9a-f]+)"/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) conditions.set(match[1], match[2]);
  }
  return conditions;
}

function toTrade(row: TradeRow) {
  return {
    event_type: "last_trade_price",
    market: row.condition_id,
    asset_id: row.token_id,
    price: String(row.price),
    size: String(row.size),
    fee_rate_bps: "",
    side: row.side,
    timestamp: row.exchange_timestamp,
  };
}

/** The file has the best level first; the wire has it last. */
function toBook(row: SampleRow, market: string) {
  return {
    event_type: "book",
    market,
    asset_id: row.token_id,
    bids: levels(row.bids),
    asks: levels(row.asks),
    timestamp: String(Date.parse(row.ts_utc)),
    hash: "",
  };
}

function levels(list: [number, number][]): { price: string; size: string }[] {
  return list.map(([price, size]) => ({ price: String(price), size: String(size) })).toReversed();
}

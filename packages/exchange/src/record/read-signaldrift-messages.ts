import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readCsv } from "./read-csv.ts";
import type { RecordedMessage } from "./recorded-message.ts";

const FOLDER = "polymarket/ws_market/signaldrift_mlb_2025";

type Row = Record<string, string>;

/**
 * Baseball markets of June and July 2025, before `price_changes`: `book`, and `price_change` with a flat `asset_id` and
 * `changes`. The files have a row a level; rows that follow each other with one asset, type, time and hash are one message.
 * Two rows glued into one by their recorder are left out. The condition id was not recorded: `market` is a stand-in, the
 * sha256 of the market's slug, the same for both tokens of a market.
 */
export async function* readSignaldriftMessages(
  dir: string,
  assets?: ReadonlySet<string>,
): AsyncGenerator<RecordedMessage> {
  const files = (await readdir(join(dir, FOLDER))).filter((name) => name.endsWith(".csv.gz")).sort();
  for (const file of files) {
    let rows: Row[] = [];
    for await (const row of readCsv(join(dir, FOLDER, file))) {
      if (row["event_type"] !== "book" && row["event_type"] !== "price_change") continue;
      if (assets && !assets.has(row["asset_id"] ?? "")) continue;
      if (rows[0] && keyOf(rows[0]) !== keyOf(row)) {
        yield toMessage(rows);
        rows = [];
      }
      rows.push(row);
    }
    if (rows[0]) yield toMessage(rows);
  }
}

function keyOf(row: Row): string {
  return `${row["asset_id"]} ${row["event_type"]} ${row["timestamp"]} ${row["hash"]}`;
}

function toMessage(rows: Row[]): RecordedMessage {
  const first = rows[0] ?? {};
  const asset = first["asset_id"] ?? "";
  const head = {
    event_type: first["event_type"],
    asset_id: asset,
    market: `0x${createHash("sha256")
      .update(first["market_slug"] ?? "")
      .digest("hex")}`,
    timestamp: first["timestamp"],
    hash: first["hash"],
  };
  const body = first["event_type"] === "book" ? bookOf(rows) : { changes: rows.map(toChange) };
  return { source: "signaldrift", asset_ids: [asset], frame: JSON.stringify({ ...head, ...body }) };
}

function bookOf(rows: Row[]) {
  const side = (bid: boolean) => rows.filter((row) => isBid(row) === bid).map(toLevel);
  return { bids: side(true), asks: side(false) };
}

function toLevel(row: Row) {
  return { price: row["price"], size: row["size"] };
}

function toChange(row: Row) {
  return { price: row["price"], side: isBid(row) ? "BUY" : "SELL", size: row["size"] };
}

/** The recorder changed its words between two days. */
function isBid(row: Row): boolean {
  return row["side"] === "bid" || row["side"] === "BUY";
}

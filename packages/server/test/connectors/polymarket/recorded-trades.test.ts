import { describe, expect, it } from "vitest";
import { polymarketTradesDataStream } from "../../../src/connectors/polymarket/trades-data.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { polymarketFills } from "../../../src/tables/polymarket-fills.ts";
import { polymarketTokens } from "../../../src/tables/polymarket-tokens.ts";
import { collect, memoryFeed, pullOptions } from "./memory-feed.ts";
import { absent, recordedCsv, recordedLines } from "./recorded.ts";

type Trade = {
  readonly proxy_wallet: string;
  readonly side: string;
  readonly token_id: string;
  readonly condition_id: string;
  readonly size: number;
  readonly price: number;
  readonly timestamp: number;
  readonly slug: string;
  readonly outcome: string;
  readonly transaction_hash: string;
};

const MICRO = 1e6;

/** 1,900 baseball trades of 82 wallets and 803 of one wallet in crypto, by wallet, newest first. */
function readTrades(): Map<string, Trade[]> {
  const baseball = recordedLines("mlb/trades_82_wallets.jsonl.gz").map((line): Trade => {
    const row = JSON.parse(line) as Trade & { timestamp: string };
    return Object.assign(row, { timestamp: Date.parse(row.timestamp) / 1000 });
  });
  const crypto = recordedCsv("data_api_v1/wallets/wallet_trades_803.csv").map((row): Trade => ({
    proxy_wallet: row["wallet"] ?? "",
    side: row["side"] ?? "",
    token_id: row["asset"] ?? "",
    condition_id: row["condition_id"] ?? "",
    size: Number(row["size"]),
    price: Number(row["price"]),
    timestamp: Number(row["timestamp"]),
    slug: row["event_slug"] ?? "",
    outcome: row["outcome"] ?? "",
    transaction_hash: row["transaction_hash"] ?? "",
  }));
  const trades = [...baseball, ...crypto].toSorted((a, b) => b.timestamp - a.timestamp);
  return Map.groupBy(trades, ({ proxy_wallet }) => proxy_wallet);
}

/** Fields that were not recorded, with the values that Data API v2 sends for unknown ones. */
const UNKNOWN = {
  title: "",
  icon: "",
  event_slug: "",
  outcome_index: 999,
  name: "",
  pseudonym: "",
  bio: "",
  profile_image: "",
  profile_image_optimized: "",
};

/** The first page contains all trades: no wallet has more than the largest page. */
const pageOf = (trades: readonly Trade[]) =>
  memoryFeed({
    get: () => ({
      data: trades.map((trade) => Object.assign({}, UNKNOWN, trade)),
      pagination: { limit: 1000, offset: 0, has_more: false, next_cursor: null },
    }),
  });

/** Rows of both tables after two cycles, each once: the newest second is left for the second cycle. */
async function gather(trades: readonly Trade[]) {
  const feed = pageOf(trades);
  const first = await collect(polymarketTradesDataStream.pull(pullOptions(feed)));
  const { cursor } = first;
  const second = await collect(polymarketTradesDataStream.pull(pullOptions(feed, { cursor })));
  const unique = new Map<string, InsertRow>();
  for (const row of [first, second].flatMap((cycle) => cycle.of(polymarketFills)))
    unique.set(`${String(row["ts"])} ${String(row["tx_hash"])} ${String(row["order_hash"])}`, row);
  const tokens = new Map(
    [first, second].flatMap((cycle) => cycle.of(polymarketTokens)).map((row) => [row["token_id"], row]),
  );
  return { fills: [...unique.values()], tokens };
}

const wordsOf = (trade: Trade): string => {
  const { transaction_hash, proxy_wallet, token_id, side, timestamp, condition_id, outcome, slug } = trade;
  const shares = Math.round(trade.size * MICRO);
  return [transaction_hash, proxy_wallet, token_id, side, shares, timestamp, condition_id, outcome, slug].join(" ");
};

function toTrade(row: InsertRow, token: InsertRow | undefined): Trade {
  const size = Number(row["shares"]);
  return {
    proxy_wallet: String(row["wallet"]),
    side: String(row["side"]),
    token_id: String(row["token_id"]),
    condition_id: String(token?.["condition_id"]),
    size,
    price: Number(row["usd"]) / size,
    timestamp: Date.parse(String(row["ts"])) / 1000,
    slug: String(token?.["slug"]),
    outcome: String(token?.["outcome"]),
    transaction_hash: String(row["tx_hash"]),
  };
}

describe.skipIf(absent)(`trades of recorded wallets${absent === undefined ? "" : `: ${absent}`}`, () => {
  it("are read once each by the walk of Data API v2: 2,703 of 83 wallets, including identical ones", async () => {
    const byWallet = readTrades();
    let taken = 0;
    for (const [wallet, trades] of byWallet) {
      const { fills, tokens } = await gather(trades);
      const read = fills.map((row) => toTrade(row, tokens.get(row["token_id"])));
      // Fills of one order may differ only in price.
      const sorted = (rows: readonly Trade[]) =>
        rows.toSorted((a, b) => wordsOf(a).localeCompare(wordsOf(b)) || a.price - b.price);
      const [was, is] = [sorted(trades), sorted(read)];
      expect(is.map(wordsOf), wallet).toEqual(was.map(wordsOf));
      // A stored price is notional over shares, both in millionths.
      for (const [index, { price, size }] of was.entries())
        expect(Math.abs((is[index]?.price ?? NaN) - price)).toBeLessThanOrEqual(1 / MICRO / size + 1e-9);
      taken += is.length;
    }
    expect([byWallet.size, taken]).toEqual([83, 2703]);
  });
});

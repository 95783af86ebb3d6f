import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateScale } from "./generate-scale.ts";
import { LINE_TABLES } from "./line-tables.ts";
import { OUTPUT_TABLES } from "./output-table.ts";
import { ParquetQueue } from "./parquet-queue.ts";
import type { ShardResult } from "./polymarket-shard.ts";
import { runWorker } from "./run-worker.ts";
import { toParquet } from "./to-parquet.ts";

export interface GenerateOptions {
  /** At least so many fills (legs: OrderFilled logs). */
  fills: number;
  /** Folder to write; what the generator wrote there before is replaced. */
  out: string;
  seed: number;
  /** First moment of the world; default 2026-04-28T00:00Z, the first day of the V2 exchange. */
  from_ms?: number;
  /** Fills before this are V1 and bear no fee; default `from_ms`. */
  v2_from_ms?: number;
  /** Days that the fills spread over, about; default 200. */
  days?: number | undefined;
  /** About so many wallets; default by the number of fills. */
  wallets?: number | undefined;
  /** Called a few times a second. */
  onProgress?: (progress: GenerateProgress) => void;
}

export interface GenerateProgress {
  fills: number;
  target: number;
  /** Rows of all tables that are Parquet already. */
  rows_written: number;
  phase: "fills" | "tables" | "done";
}

/** Also written to `out`/manifest.json. */
export interface GenerateReport {
  seed: number;
  fills: number;
  matches: number;
  markets: number;
  wallets: number;
  from_ms: number;
  to_ms: number;
  kalshi_markets: number;
  kalshi_trades: number;
  book_changes: number;
  rows: Record<string, number>;
}

const DAY = 86_400_000;

async function prepare(out: string): Promise<string> {
  const folders = new Set(Object.values(OUTPUT_TABLES).map((table) => table.file.split("/")[0] as string));
  const made = [...folders, "truth", "tmp"];
  for (const folder of made) await rm(join(out, folder), { recursive: true, force: true });
  for (const folder of made) await mkdir(join(out, folder), { recursive: true });
  return join(out, "tmp");
}

async function writeLineTables(out: string, folder: string): Promise<void> {
  for (const table of LINE_TABLES) {
    const group = "group" in table ? `GROUP BY ${table.group} ` : "";
    const source = { path: join(folder, table.lines), format: "JSONEachRow", structure: table.structure } as const;
    await toParquet(source, table.select, join(out, table.file), `${group}ORDER BY ${table.order}`);
  }
}

/**
 * Writes a world of at least `fills` fills as Parquet, with the matching, crowd and events of the served world. The same seed and
 * `fills` give the same rows. Two shards (markets and wallets are split between them) run in two threads; memory stays below 3 GiB.
 * Times are Unix ms, `_micro` 1e-6 shares or USD, `_e4` 1e-4 USD, `_cc` 1e-2 contracts; ids in fills are raw big-endian bytes.
 *
 * - `fills/part-S-N.parquet`, in order of time within a shard S: block_time_ms Int64, block_number UInt32, log_index UInt32,
 *   tx_hash, order_hash, condition_id, token_id FixedString(32), wallet FixedString(20), outcome_index UInt8 (0, 1),
 *   side String (BUY, SELL), role String (maker, taker), kind String (complementary, mint, merge), exchange_version String (V1, V2),
 *   shares_micro, usd_micro, fee_micro Int64. Makers' fee is 0. (tx_hash, log_index) is unique.
 * - `operations/part-S-N.parquet`: block_time_ms, block_number, log_index, tx_hash, wallet, condition_id as above; kind String (split,
 *   merge, convert, redeem, transfer); token_id_a, token_id_b, neg_risk_market_id FixedString(32) (zeros: none), question_index UInt8;
 *   yes_micro, no_micro, usd_micro Int64: what the wallet got (minus: gave). A conversion has a row a question, a transfer between
 *   wallets one for each of them, the sender's first: rows of one (tx_hash, log_index) are in one file.
 * - `markets.parquet`: condition_id, question_id 0x-hex String, market_id, question, slug, outcome_a, outcome_b, token_id_a, token_id_b
 *   (decimal) String, event_id, event_slug, event_title String, question_index, questions UInt8, category String, tags Array(String),
 *   neg_risk Bool, neg_risk_market_id String, kind String (binary, neg_risk, updown, sports), tick_e4, fee_rate_e4 UInt32, created_ms, start_ms, end_ms Int64,
 *   created_block UInt32, created_block_ms Int64, closed_ms, resolved_ms Nullable(Int64), resolved_block, resolved_log_index
 *   Nullable(UInt32), resolved_block_ms Nullable(Int64), resolved_tx String (0x-hex, empty while open), was_disputed Bool, payout_a, payout_b Nullable(UInt8) (1,0 / 0,1 / 1,1), volume_micro Int64
 *   (taker side, each match once), last_price_e4 Nullable(UInt32) of outcome a.
 * - `events.parquet`: event_id, event_slug, event_title, category String, tags Array(String), neg_risk Bool, kind String,
 *   markets UInt64, created_ms, start_ms, end_ms, volume_micro Int64.
 * - `order_book_changes/*.parquet`: seq, time_ms Int64, condition_id, token_id FixedString(32), outcome_index UInt8, side String,
 *   price_e4 UInt32, size_micro Int64 (new total, 0 = gone), best_bid_e4 UInt32 (0 = none), best_ask_e4 UInt32 (10000 = none).
 * - `order_book_snapshots/*.parquet`, hourly: seq, time_ms, condition_id, token_id, outcome_index; bid_prices_e4 Array(UInt32),
 *   bid_sizes_micro Array(Int64) ascending (best last), ask_prices_e4, ask_sizes_micro ascending (best first).
 *   A snapshot holds all changes of its token with a lower seq.
 * - `kalshi_markets.parquet`: ticker, event_ticker, series_ticker, category, title, yes_sub_title, strike_type, status, result String,
 *   floor_strike, cap_strike Nullable(Float64), created_ms, open_ms, close_ms Int64, determined_ms, settled_ms Nullable(Int64),
 *   settlement_value_e4, last_price_e4 Nullable(UInt32), volume_cc, open_interest_cc Int64.
 * - `kalshi_trades/*.parquet`: created_time_ms Int64, trade_id, ticker String, yes_price_e4 UInt32, count_cc Int64,
 *   taker_side String (yes, no), is_block_trade Bool.
 * - `truth/wallets.parquet`: wallet 0x-hex, style String, skill Float64 0–1, ring Nullable(UInt32), bankroll_micro, cash_pnl_micro (exact),
 *   marked_pnl_micro Int64 (open positions at the latent probability). `truth/jumps.parquet`: time_ms, condition_id, before_e4, after_e4.
 *   `truth/resolutions.parquet`: condition_id, resolved_ms, payout_a, payout_b, was_disputed, probability_a (latent, while open).
 */
export async function generate(options: GenerateOptions): Promise<GenerateReport> {
  const { seed, out, fills } = options;
  const start = options.from_ms ?? Date.UTC(2026, 3, 28);
  const scale = generateScale(fills, options.days ?? 200, options.wallets);
  const folder = await prepare(out);
  const parquet = new ParquetQueue(out);
  const made = [0, 0];
  const tell = (phase: GenerateProgress["phase"]): void =>
    options.onProgress?.({ fills: (made[0] ?? 0) + (made[1] ?? 0), target: fills, rows_written: parquet.rows, phase });
  const { waiting } = parquet;
  const onChunk = parquet.add.bind(parquet);
  const v2From = options.v2_from_ms ?? start;
  const shards = [0, 1].map((shard) =>
    runWorker<ShardResult>(
      { waiting, folder, polymarket: { seed, shard, start, v2From, scale, folder } },
      onChunk,
      (count) => {
        made[shard] = count;
        tell("fills");
      },
    ),
  );
  const kalshiJob = { seed, start, end: start + scale.days * DAY, scale, folder };
  const kalshi = runWorker<{ kalshi_trades: number; kalshi_markets: number }>(
    { waiting, folder, kalshi: kalshiJob },
    onChunk,
    () => {},
  );
  try {
    const results = await Promise.all(shards.map((shard) => shard.result));
    const other = await kalshi.result;
    await parquet.settle();
    tell("tables");
    await writeLineTables(out, folder);
    const sum = (key: keyof ShardResult): number => results.reduce((total, result) => total + result[key], 0);
    const report: GenerateReport = {
      seed,
      fills: sum("fills"),
      matches: sum("matches"),
      markets: sum("markets"),
      wallets: scale.wallets * 2,
      from_ms: start,
      to_ms: Math.max(...results.map((result) => result.last_ms)),
      ...other,
      book_changes: sum("book_changes"),
      rows: parquet.byTable,
    };
    await writeFile(join(out, "manifest.json"), `${JSON.stringify(report, null, 2)}\n`);
    tell("done");
    return report;
  } finally {
    for (const worker of [...shards, kalshi]) worker.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

import { join } from "node:path";
import { createCrowd } from "../world/core/crowd.ts";
import { EventHeap } from "../world/core/event-heap.ts";
import { HASH_KIND, mixHash } from "../world/core/mix-hash.ts";
import { Purses } from "../world/core/purses.ts";
import { Rng } from "../world/core/rng.ts";
import { Simulation, type SimulationParts, type Task } from "../world/core/simulation.ts";
import { BookRows } from "./book-rows.ts";
import { type ChunkWriter, LineWriter } from "./shard-files.ts";
import { ColumnSink } from "./column-sink.ts";
import type { GenerateScale } from "./generate-scale.ts";
import { MarketRows } from "./market-rows.ts";

export interface ShardJob {
  seed: number;
  shard: number;
  start: number;
  scale: GenerateScale;
  /** Folder for files waiting for conversion to Parquet. */
  folder: string;
}

export interface ShardResult {
  fills: number;
  matches: number;
  markets: number;
  book_changes: number;
  last_ms: number;
}

function walletTable(seed: number, shard: number, count: number): Buffer {
  const table = Buffer.alloc(count * 20);
  for (let w = 0; w < count; w += 1) mixHash(table, w * 20, seed, HASH_KIND.wallet, shard * 2 ** 32 + w, 20);
  return table;
}

function simulate(job: ShardJob, parts: Pick<SimulationParts, "rng" | "crowd" | "purses" | "sink" | "queue">): void {
  const { shard, start, scale } = job;
  const windows = [{ asset: shard === 0 ? "btc" : "eth", minutes: scale.minutes }];
  const { events, activity } = scale;
  const paces = { activity, window_activity: 1, idle: 0.05 };
  const settings = { start, events, life_days: 12, windows, ...paces, fee_from: start, shard };
  void new Simulation({ ...parts, firstMarket: shard * 10_000_000, settings });
}

/**
 * Simulates half of the generated world, with its own markets and wallets, until it has made its fills. Writes its
 * markets and the ground truth of its wallets as lines. `progress` is called a few times a second.
 */
export function runPolymarketShard(job: ShardJob, writer: ChunkWriter, progress: (fills: number) => void): ShardResult {
  const { seed, shard, start, scale, folder } = job;
  const rng = new Rng(seed, `generate ${shard}`);
  const purses = new Purses(scale.wallets);
  const crowd = createCrowd(scale.wallets, rng.fork(`crowd ${shard}`), purses);
  const wallets = walletTable(seed, shard, scale.wallets);
  const marketLines = new LineWriter(join(folder, `markets-${shard}.jsonl`));
  const markets = new MarketRows(seed, shard, rng, marketLines);
  const books = new BookRows(writer, scale.books);
  const sink = new ColumnSink({ seed, shard, start, wallets, writer, markets, books });
  const queue = new EventHeap<Task>();
  simulate(job, { rng: rng.fork(`polymarket ${shard}`), crowd, purses, sink, queue });
  let published = 0;
  while (sink.fills < scale.fills) {
    const at = queue.nextAt();
    queue.pop()?.(at);
    if (sink.fills - published >= 50_000) {
      published = sink.fills;
      progress(published);
    }
  }
  markets.finish();
  marketLines.close();
  const truth = new LineWriter(join(folder, `wallets-${shard}.jsonl`));
  for (let w = 0; w < scale.wallets; w += 1) {
    const wallet = `0x${wallets.subarray(w * 20, w * 20 + 20).toString("hex")}`;
    truth.write({ wallet, cash_pnl_micro: purses.profit(w) });
  }
  truth.close();
  writer.finish();
  progress(sink.fills);
  return {
    fills: sink.fills,
    matches: sink.matches,
    markets: markets.count,
    book_changes: books.changes,
    last_ms: sink.last,
  };
}

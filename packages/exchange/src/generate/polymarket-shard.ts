import { join } from "node:path";
import { createCrowd, type Crowd } from "../world/core/crowd.ts";
import { EventHeap } from "../world/core/event-heap.ts";
import { HASH_KIND, mixHash } from "../world/core/mix-hash.ts";
import { Purses } from "../world/core/purses.ts";
import { Rng } from "../world/core/rng.ts";
import { Simulation, type SimulationParts, type Task } from "../world/core/simulation.ts";
import { BookRows } from "./book-rows.ts";
import type { ChunkWriter } from "./chunk-writer.ts";
import { ColumnSink } from "./column-sink.ts";
import type { GenerateScale } from "./generate-scale.ts";
import { LineWriter } from "./line-writer.ts";
import { MarketRows } from "./market-rows.ts";
import type { CoreMarket } from "../world/core/core-market.ts";

export interface ShardJob {
  seed: number;
  shard: number;
  start: number;
  v2From: number;
  scale: GenerateScale;
  /** Folder for what waits to become Parquet. */
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
  const { shard, start, v2From, scale } = job;
  const windows = [{ asset: shard === 0 ? "btc" : "eth", minutes: scale.minutes }];
  const { events, activity } = scale;
  const paces = { activity, window_activity: 1, idle: 0.05 };
  const settings = { start, events, life_days: 12, windows, ...paces, fee_from: v2From, shard };
  void new Simulation({ ...parts, firstMarket: shard * 10_000_000, settings });
}

/**
 * Half of the generated world: its own markets and wallets, run until it has made its fills. Writes wallet truth and jumps as lines.
 * `progress` is called a few times a second.
 */
export function runPolymarketShard(job: ShardJob, writer: ChunkWriter, progress: (fills: number) => void): ShardResult {
  const { seed, shard, start, v2From, scale, folder } = job;
  const rng = new Rng(seed, `generate ${shard}`);
  const purses = new Purses(scale.wallets);
  const crowd = createCrowd(scale.wallets, rng.fork(`crowd ${shard}`), purses);
  const wallets = walletTable(seed, shard, scale.wallets);
  const marketLines = new LineWriter(join(folder, `markets-${shard}.jsonl`));
  const jumpLines = new LineWriter(join(folder, `jumps-${shard}.jsonl`));
  const markets = new MarketRows(seed, shard, rng, marketLines);
  const books = new BookRows(writer, scale.books);
  const unclaimed = new Float64Array(scale.wallets);
  const sink = new ColumnSink({
    seed,
    shard,
    start,
    v2From,
    wallets,
    writer,
    markets,
    books,
    unclaimed,
    jumps: jumpLines,
  });
  const queue = new EventHeap<Task>();
  simulate(job, { rng: rng.fork(`polymarket ${shard}`), crowd, purses, sink, queue });
  let told = 0;
  while (sink.fills < scale.fills) {
    const at = queue.nextAt();
    queue.pop()?.(at);
    if (sink.fills - told >= 50_000) {
      told = sink.fills;
      progress(told);
    }
  }
  markets.finish();
  const truthPath = join(folder, `wallets-${shard}.jsonl`);
  writeWalletTruth(truthPath, { shard, wallets, crowd, purses, open: markets.open(), unclaimed });
  for (const lines of [marketLines, jumpLines]) lines.close();
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

interface WalletTruthParts {
  shard: number;
  /** 20 bytes a wallet. */
  wallets: Buffer;
  crowd: Crowd;
  purses: Purses;
  /** Markets in which something may still be held. */
  open: Iterable<CoreMarket>;
  /** Micro USD that could still be redeemed in all other markets, by wallet. */
  unclaimed: Float64Array;
}

/** One line a wallet: what it is inside, and its exact profit by cash. */
function writeWalletTruth(path: string, parts: WalletTruthParts): void {
  const { shard, wallets, crowd, purses } = parts;
  const held = parts.unclaimed.slice();
  for (const market of parts.open) {
    const { payout } = market;
    const p = payout === null ? market.latent.p(market.index) : payout[0] / (payout[0] + payout[1]);
    for (const [w, position] of market.positions) {
      held[w] = (held[w] as number) + (position.yes * p + position.no * (1 - p)) * 10_000;
    }
  }
  const lines = new LineWriter(path);
  for (let w = 0; w < crowd.count; w += 1) {
    const ring = crowd.rings[w] as number;
    lines.write({
      wallet: `0x${wallets.subarray(w * 20, w * 20 + 20).toString("hex")}`,
      style: crowd.styles[w],
      skill: crowd.skills[w],
      ring: ring < 0 ? null : ring * 2 + shard,
      bankroll_micro: crowd.bankrolls[w],
      cash_pnl_micro: purses.profit(w),
      marked_pnl_micro: Math.round(purses.profit(w) + (held[w] as number)),
    });
  }
  lines.close();
}

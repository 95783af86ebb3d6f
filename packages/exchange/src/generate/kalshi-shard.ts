import { join } from "node:path";
import { AssetPath } from "../world/core/asset-path.ts";
import { Bus } from "../world/bus.ts";
import { EventHeap } from "../world/core/event-heap.ts";
import { KalshiSimulation } from "../world/kalshi/kalshi-simulation.ts";
import { KalshiState } from "../world/kalshi/kalshi-state.ts";
import type { KalshiTrade } from "../world/kalshi-contract.ts";
import type { KalshiView } from "../world/kalshi/kalshi-view.ts";
import { noCounts } from "../world/world.ts";
import { Rng } from "../world/core/rng.ts";
import type { Task } from "../world/core/simulation.ts";
import { type ChunkWriter, LineWriter } from "./shard-files.ts";
import type { GenerateScale } from "./generate-scale.ts";

export interface KalshiJob {
  seed: number;
  start: number;
  end: number;
  scale: GenerateScale;
  folder: string;
}

function toLine(market: KalshiView): object {
  return {
    ticker: market.ticker,
    event_ticker: market.event.event_ticker,
    series_ticker: market.event.series.ticker,
    category: market.event.series.category,
    title: market.title,
    created_ms: market.created_ms,
    open_ms: market.open_ms,
    close_ms: market.close_ms,
    settled_ms: market.settled_ms,
    status: market.status,
    result: market.result,
    settlement_value_e4: market.settlement_value_e4,
    last_price_e4: market.last_price_e4,
    volume_cc: market.volume_cc,
    open_interest_cc: market.open_interest_cc,
  };
}

function forget(market: KalshiView): void {
  market.forget();
}

/** Generates the Kalshi side of a world, from start to end. */
export function runKalshiShard(job: KalshiJob, writer: ChunkWriter): { kalshi_trades: number; kalshi_markets: number } {
  const { seed, start, end, scale, folder } = job;
  const rng = new Rng(seed, "generate kalshi");
  const time = { reached: start };
  const reached = (): number => time.reached;
  const paths = new Map(["btc", "eth"].map((symbol) => [symbol, new AssetPath(symbol, start, rng)]));
  const counts = noCounts(0);
  const bus = new Bus();
  const state = new KalshiState(() => start);
  const queue = new EventHeap<Task>();
  const keep = (trade: KalshiTrade): void => {
    const row = writer.row("kalshi_trades");
    row.i64(trade.ms);
    row.text(trade.trade_id);
    row.text(trade.market.ticker);
    row.u32(trade.yes_price_e4);
    row.i64(trade.count_cc);
    row.u8(trade.taker_side === "yes" ? 0 : 1);
    row.u8(trade.is_block_trade ? 1 : 0);
  };
  const path = (symbol: string): AssetPath => paths.get(symbol) as AssetPath;
  const sizes = { markets: scale.kalshi_markets, activity: scale.kalshi_activity };
  const desk = { seed, rng, bus, counts, keep };
  void new KalshiSimulation({ ...desk, queue, state, path, jumps: [], reached, onSettled: forget, start, ...sizes });
  while (queue.nextAt() < end) {
    time.reached = queue.nextAt();
    queue.pop()?.(time.reached);
  }
  const lines = new LineWriter(join(folder, "kalshi_markets.jsonl"));
  for (const market of state.markets) lines.write(toLine(market));
  lines.close();
  writer.finish();
  return { kalshi_trades: counts.kalshi_trades, kalshi_markets: state.markets.length };
}

import type { CoreMarket } from "../world/core/core-market.ts";
import type { Level } from "../world/core/ladder.ts";
import type { ChunkWriter } from "./shard-files.ts";
import type { RowBuffer } from "./row-buffer.ts";

const HOUR = 3_600_000;

interface Ids {
  tokens: Buffer;
}

function levelsInto(row: RowBuffer, levels: readonly Level[], outcome: 0 | 1): void {
  row.size(levels.length);
  for (const level of levels) row.u32(outcome === 0 ? level.price : 10_000 - level.price);
  row.size(levels.length);
  for (const level of levels) row.i64(level.total * 10_000);
}

/**
 * Books of the first few standing markets: every change, and an hourly snapshot (sides ascending, best bid last, best
 * ask first). `seq` gives the order: a snapshot includes all changes of its token with a lower `seq`.
 */
export class BookRows {
  changes = 0;
  private readonly writer: ChunkWriter;
  private readonly most: number;
  private readonly watched: Map<number, number> = new Map();
  private taken = 0;
  private seq = 0;

  constructor(writer: ChunkWriter, most: number) {
    this.writer = writer;
    this.most = most;
  }

  changed(market: CoreMarket, at: number, levels: readonly number[], ids: Ids): void {
    let last = this.watched.get(market.number);
    if (last === undefined) {
      if (this.taken >= this.most || market.plan.asset !== null) return;
      this.taken += 1;
      last = Number.NEGATIVE_INFINITY;
    }
    for (const outcome of [0, 1] as const) {
      for (const code of levels) this.change(market, at, code, outcome, ids);
      if (at - last >= HOUR) this.snapshot(market, at, outcome, ids);
    }
    this.watched.set(market.number, at - last >= HOUR ? at : last);
  }

  done(market: CoreMarket): void {
    this.watched.delete(market.number);
  }

  private head(row: RowBuffer, at: number, outcome: 0 | 1, ids: Ids): void {
    this.seq += 1;
    row.i64(this.seq);
    row.i64(at);
    row.copy(ids.tokens, outcome * 32, 32);
  }

  private change(market: CoreMarket, at: number, code: number, outcome: 0 | 1, ids: Ids): void {
    const bid = code > 0;
    const price = Math.abs(code);
    const own = (yes: number): number => (outcome === 0 ? yes : 10_000 - yes);
    const row = this.writer.row("book_changes");
    this.head(row, at, outcome, ids);
    row.u8(bid === (outcome === 0) ? 0 : 1);
    row.u32(own(price));
    row.i64(((bid ? market.bids : market.asks).find(price)?.total ?? 0) * 10_000);
    const bidding = (outcome === 0 ? market.bids : market.asks).best();
    const asking = (outcome === 0 ? market.asks : market.bids).best();
    row.u32(bidding === undefined ? 0 : own(bidding.price));
    row.u32(asking === undefined ? 10_000 : own(asking.price));
    this.changes += 1;
  }

  private snapshot(market: CoreMarket, at: number, outcome: 0 | 1, ids: Ids): void {
    const row = this.writer.row("book_snapshots");
    this.head(row, at, outcome, ids);
    levelsInto(row, (outcome === 0 ? market.bids : market.asks).levels, outcome);
    levelsInto(row, (outcome === 0 ? market.asks : market.bids).levels.toReversed(), outcome);
  }
}

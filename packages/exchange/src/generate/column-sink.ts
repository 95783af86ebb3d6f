import { type CoreMarket, isSameOutcome } from "../world/core/core-market.ts";
import type { CoreMatch, CoreSink } from "../world/core/core-sink.ts";
import type { Order } from "../world/core/ladder.ts";
import { HASH_KIND, mixHash } from "../world/core/mix-hash.ts";
import type { BookRows } from "./book-rows.ts";
import type { ChunkWriter } from "./shard-files.ts";
import type { MarketIds, MarketRows } from "./market-rows.ts";
import type { RowBuffer } from "./row-buffer.ts";

/** Chain of the generated world: a block every 2 s; shards share blocks but not log indexes. */
export const BLOCK = { first: 84_902_353, ms: 2000, shard_logs: 2000 } as const;

/** Operation kinds, as encoded in `operations`. */
const OPERATION = { split: 0, merge: 1, convert: 2, redeem: 3, transfer: 4 } as const;

/** Amounts received by the wallet: of both outcomes in hundredths of a share, USD in millionths. */
interface Operation {
  kind: number;
  yes: number;
  no: number;
  usd: number;
}

export interface ColumnSinkParts {
  seed: number;
  shard: number;
  start: number;
  /** Wallet addresses, 20 bytes each, by wallet number. */
  wallets: Buffer;
  writer: ChunkWriter;
  markets: MarketRows;
  books: BookRows;
}

/** Writes the core's actions as columns, keeping only open markets in memory. */
export class ColumnSink implements CoreSink {
  fills = 0;
  matches = 0;
  last = 0;
  private readonly parts: ColumnSinkParts;
  private readonly hashes: Buffer = Buffer.alloc(64);
  private block = 0;
  private log = 0;
  private tx = 0;

  constructor(parts: ColumnSinkParts) {
    this.parts = parts;
  }

  match(market: CoreMarket, match: CoreMatch): void {
    const { taker, count } = match;
    const hasSets = match.makers.some((maker, i) => i < count && !isSameOutcome(taker, maker));
    const first = this.transact(match.at) + (hasSets ? (market.plan.kind === "neg_risk" ? 2 : 1) : 0);
    const ids = this.parts.markets.ids(market);
    for (let i = 0; i < count; i += 1) {
      const maker = match.makers[i] as Order;
      const size = match.sizes[i] as number;
      const usd = (maker.outcome === 0 ? maker.yes : 10_000 - maker.yes) * size;
      const kind = isSameOutcome(taker, maker) ? 0 : taker.buy ? 1 : 2;
      this.leg(match.at, maker, ids, first + i, 0, kind, size, usd, 0);
    }
    const own = first + count + (match.fee > 0 ? 1 : 0);
    const kind = isSameOutcome(taker, match.makers[0] as Order) ? 0 : taker.buy ? 1 : 2;
    this.leg(match.at, taker, ids, own, 1, kind, match.shares, match.usd, match.fee);
    this.log = own + 2 - this.parts.shard * BLOCK.shard_logs;
    this.matches += 1;
    this.parts.markets.traded(market, match.usd);
  }

  book(market: CoreMarket, at: number, levels: readonly number[]): void {
    this.parts.books.changed(market, at, levels, this.parts.markets.ids(market));
  }

  tick(): void {}

  created(market: CoreMarket, at: number): void {
    const [block, block_ms] = [this.blockOf(at), this.blockTime(at)];
    this.parts.markets.created(market, at, { block, block_ms });
  }

  closed(market: CoreMarket, at: number): void {
    this.parts.markets.closed(market, at);
  }

  disputed(): void {}

  resolved(market: CoreMarket, at: number): void {
    const log_index = this.transact(at);
    const [block_ms, tx] = [this.blockTime(at), `0x${this.hashes.toString("hex", 0, 32)}` as const];
    this.parts.markets.resolved(market, at, { block: this.block, block_ms, log_index, tx });
    this.log += 1;
  }

  split(market: CoreMarket, at: number, wallet: number, size: number): void {
    this.operation(market, at, wallet, { kind: OPERATION.split, yes: size, no: size, usd: -size * 10_000 });
  }

  merge(market: CoreMarket, at: number, wallet: number, size: number): void {
    this.operation(market, at, wallet, { kind: OPERATION.merge, yes: -size, no: -size, usd: size * 10_000 });
  }

  /** Writes one row per question; the USD are in the row of the first question that is given in. */
  convert(markets: CoreMarket[], at: number, wallet: number, given: boolean[], size: number): void {
    let usd = size * 10_000 * (given.filter(Boolean).length - 1);
    const first = this.transact(at);
    for (const [i, market] of markets.entries()) {
      const gives = given[i] === true;
      const moved = gives ? { yes: 0, no: -size, usd } : { yes: size, no: 0, usd: 0 };
      this.operationRow(market, at, wallet, { kind: OPERATION.convert, ...moved }, first, i > 0);
      if (gives) usd = 0;
    }
    this.log += 1;
  }

  redeem(market: CoreMarket, at: number, wallet: number, yes: number, no: number, payout: number): void {
    this.operation(market, at, wallet, { kind: OPERATION.redeem, yes: -yes, no: -no, usd: payout });
  }

  /** Writes two rows: the sender's and the receiver's. */
  transfer(market: CoreMarket, at: number, from: number, to: number, yes: number, no: number): void {
    const log = this.transact(at);
    const kind = OPERATION.transfer;
    this.operationRow(market, at, from, { kind, yes: -yes, no: -no, usd: 0 }, log);
    this.operationRow(market, at, to, { kind, yes, no, usd: 0 }, log, true);
    this.log += 1;
  }

  jump(): void {}

  done(market: CoreMarket): void {
    this.parts.markets.done(market);
    this.parts.books.done(market);
  }

  private blockTime(at: number): number {
    const { start } = this.parts;
    return start + Math.ceil((at - start + 1000) / BLOCK.ms) * BLOCK.ms;
  }

  private blockOf(at: number): number {
    return BLOCK.first + (this.blockTime(at) - this.parts.start) / BLOCK.ms;
  }

  /** Allocates a transaction; returns its first log index. */
  private transact(at: number): number {
    const { seed, shard } = this.parts;
    const block = this.blockOf(at);
    if (block !== this.block) {
      this.block = block;
      this.log = 0;
    }
    this.last = at;
    this.tx += 1;
    mixHash(this.hashes, 0, seed, HASH_KIND.tx, shard * 2 ** 40 + this.tx);
    return shard * BLOCK.shard_logs + this.log;
  }

  private place(row: RowBuffer, at: number, log: number): void {
    row.i64(this.blockTime(at));
    row.u32(this.block);
    row.u32(log);
    row.copy(this.hashes, 0, 32);
  }

  private leg(
    at: number,
    order: Order,
    ids: MarketIds,
    log: number,
    role: number,
    kind: number,
    shares: number,
    usd: number,
    fee: number,
  ): void {
    const { seed, shard, wallets, writer } = this.parts;
    const row = writer.row("fills");
    this.place(row, at, log);
    mixHash(row.bytes, row.length, seed, HASH_KIND.order, shard * 2 ** 40 + order.id);
    row.length += 32;
    row.copy(wallets, order.owner * 20, 20);
    row.copy(ids.tokens, order.outcome * 32, 32);
    row.u8(order.buy ? 0 : 1);
    row.u8(role);
    row.u8(kind);
    row.i64(shares * 10_000);
    row.i64(usd);
    row.i64(fee);
    this.fills += 1;
  }

  private operation(market: CoreMarket, at: number, wallet: number, what: Operation): void {
    const negRisk = market.plan.kind === "neg_risk" ? 1 : 0;
    const log = this.transact(at) + negRisk;
    this.operationRow(market, at, wallet, what, log);
    this.log += 1 + negRisk;
  }

  private operationRow(
    market: CoreMarket,
    at: number,
    wallet: number,
    { kind, yes, no, usd }: Operation,
    log: number,
    continues: boolean = false,
  ): void {
    const { wallets, writer, markets } = this.parts;
    const { conditionId, tokens, negRiskMarketId } = markets.ids(market);
    const row = writer.row("operations", continues);
    this.place(row, at, log);
    row.copy(wallets, wallet * 20, 20);
    row.copy(conditionId, 0, 32);
    row.copy(tokens, 0, 64);
    row.copy(negRiskMarketId, 0, 32);
    row.u8(market.index);
    row.u8(kind);
    row.i64(yes * 10_000);
    row.i64(no * 10_000);
    row.i64(usd);
  }
}

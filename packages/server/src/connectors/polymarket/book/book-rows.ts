import type { InsertRow } from "../../../definition/table.ts";
import { microText } from "../../../definition/value-text.ts";
import { toMicro } from "../exact/values.ts";
import type { Level } from "./book-side.ts";
import type { Print } from "./read-frame.ts";

type Event = {
  readonly instrument: string;
  readonly ms: number;
  readonly seq: number;
  readonly kind: "snapshot" | "change";
  /** By rising price. */
  readonly bids: readonly Level[];
  /** By falling price. */
  readonly asks: readonly Level[];
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  readonly hash: string;
};

/** A row of book_events: levels as pairs of decimal strings, the best last on both sides. */
export function bookRow(event: Event): InsertRow {
  return {
    instrument: event.instrument,
    ts: new Date(event.ms).toISOString(),
    seq: event.seq,
    kind: event.kind,
    venue: "polymarket",
    bids: event.bids.map(pair),
    asks: event.asks.map(pair),
    best_bid: event.bestBid === null ? null : microText(BigInt(event.bestBid)),
    best_ask: event.bestAsk === null ? null : microText(BigInt(event.bestAsk)),
    hash: event.hash,
  };
}

function pair({ price, size }: Level): [string, string] {
  return [microText(toMicro(price)), microText(toMicro(size))];
}

/** Makes rows of polymarket_prints, numbering identical prints of a token within a millisecond. */
export class PrintRows {
  readonly #counts = new Map<string, { ms: number; alike: Map<string, number> }>();

  /** A print without a size gives no row. */
  toRow(print: Print): InsertRow | undefined {
    if (print.size === undefined) return undefined;
    const price = microText(toMicro(print.price));
    const shares = microText(toMicro(print.size));
    const tx_hash = print.transaction_hash?.toLowerCase() ?? "";
    const seq = this.#count(print.asset_id, print.timestamp, `${price}|${shares}|${print.side}|${tx_hash}`);
    return {
      token_id: print.asset_id,
      ts: new Date(print.timestamp).toISOString(),
      seq,
      condition_id: print.market,
      side: print.side,
      price,
      shares,
      tx_hash,
    };
  }

  #count(token: string, ms: number, key: string): number {
    let timestamp = this.#counts.get(token);
    if (timestamp?.ms !== ms) {
      timestamp = { ms, alike: new Map() };
      this.#counts.set(token, timestamp);
    }
    const seq = timestamp.alike.get(key) ?? 0;
    timestamp.alike.set(key, seq + 1);
    return seq;
  }
}

const MAX_TIMESTAMPS = 32;
/**
 * First sequence number of an adopted snapshot. A book has the timestamp of its last change, which an earlier session
 * may have stored under the same millisecond: the snapshot must sort after it and have another key.
 */
const ADOPTED_FROM = 1_000_000;

/** Numbers the events of one instrument within a millisecond, from 0. A late one continues its millisecond's count. */
export class SeqCounter {
  readonly #counts = new Map<number, number>();

  next(ms: number): number {
    const seq = this.#counts.get(ms) ?? 0;
    this.#counts.set(ms, seq + 1);
    if (this.#counts.size > MAX_TIMESTAMPS) this.#counts.delete(Math.min(...this.#counts.keys()));
    return seq;
  }

  /** The number of an adopted snapshot; later events in the same millisecond count on from it. */
  adopt(ms: number): number {
    this.#counts.set(ms, Math.max(this.#counts.get(ms) ?? 0, ADOPTED_FROM));
    return this.next(ms);
  }
}

import { microText } from "../../../definition/value-text.ts";
import { toMicro, toContracts, toDollars } from "../wire/values.ts";
import type { BookLevel, BookReply } from "./read-books.ts";
import type { InsertRow } from "../../../definition/table.ts";

export type Level = readonly [price: string, size: string];
export type Side = "bids" | "asks";

const ONE = 1_000_000n;

/** One book on the YES scale: prices and sizes in millionths, exact. */
export class Ladder {
  readonly #sides: Readonly<Record<Side, Map<bigint, bigint>>> = { bids: new Map(), asks: new Map() };

  /** Sets the size of a level; 0 removes it. */
  set(side: Side, price: string, size: string): void {
    const total = toMicro(size);
    if (total > 0n) this.#sides[side].set(toMicro(price), total);
    else this.#sides[side].delete(toMicro(price));
  }

  /** Adds a signed change; returns the new total, or undefined if it would be negative (the book is then wrong). */
  add(side: Side, price: string, change: string): string | undefined {
    const at = toMicro(price);
    const total = (this.#sides[side].get(at) ?? 0n) + toMicro(change);
    if (total < 0n) return undefined;
    if (total === 0n) this.#sides[side].delete(at);
    else this.#sides[side].set(at, total);
    return microText(total);
  }

  /** Bids ascending, asks descending: the best is last. */
  levels(side: Side): Level[] {
    const sorted = [...this.#sides[side]].sort(([a], [b]) => (side === "bids" ? compare(a, b) : compare(b, a)));
    return sorted.map(([price, size]) => [microText(price), microText(size)]);
  }

  best(side: Side): string | null {
    let best: bigint | undefined;
    for (const price of this.#sides[side].keys()) {
      if (best === undefined || (side === "bids" ? price > best : price < best)) best = price;
    }
    return best === undefined ? null : microText(best);
  }
}

/** The YES price equivalent to a NO price. */
function acrossTo(price: string): string {
  return microText(ONE - toMicro(price));
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}

/** A REST book (bids of YES and of NO) on the YES scale: a NO bid at p is a YES ask at 1 − p. */
export function toLadder(reply: BookReply): Ladder {
  const ladder = new Ladder();
  const { yes, no } = sidesOf(reply);
  for (const [price, size] of yes) ladder.set("bids", toDollars(price) ?? "0", toContracts(size) ?? "0");
  for (const [price, size] of no) ladder.set("asks", acrossTo(toDollars(price) ?? "0"), toContracts(size) ?? "0");
  return ladder;
}

function sidesOf(reply: BookReply): { readonly yes: readonly BookLevel[]; readonly no: readonly BookLevel[] } {
  if (reply.orderbook_fp) {
    return { yes: reply.orderbook_fp.yes_dollars ?? [], no: reply.orderbook_fp.no_dollars ?? [] };
  }
  const { yes_dollars, no_dollars, yes, no } = reply.orderbook ?? {};
  return { yes: yes_dollars ?? yes ?? [], no: no_dollars ?? no ?? [] };
}

export type Place = { readonly instrument: string; readonly ts: number; readonly seq: number };

/** A row of book_events: a full snapshot, or the new totals of the changed levels alone. `ts` is Unix milliseconds. */
export function toBookRow(
  { instrument, ts, seq }: Place,
  ladder: Ladder,
  changed?: Readonly<Partial<Record<Side, readonly Level[]>>>,
): InsertRow {
  const levels = (side: Side): readonly Level[] =>
    changed === undefined ? ladder.levels(side) : (changed[side] ?? []);
  return {
    instrument,
    ts: new Date(ts).toISOString(),
    seq,
    kind: changed === undefined ? "snapshot" : "change",
    venue: "kalshi",
    bids: levels("bids"),
    asks: levels("asks"),
    best_bid: ladder.best("bids"),
    best_ask: ladder.best("asks"),
    hash: "",
  };
}

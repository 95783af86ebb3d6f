import { microText } from "../../../definition/value-text.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { toMicro } from "../wire/values.ts";
import type { BookFrame } from "./book-frame.ts";
import { Ladder, toBookRow, type Place } from "./ladder.ts";

type Kind<T extends BookFrame["type"]> = Extract<BookFrame, { type: T }>;
type Held = { readonly ladder: Ladder; changes: number; lastMessageMs: number };

/** A full snapshot row is written after this many changes, so that rebuilding a past book starts from a near one. */
const CHECKPOINT_CHANGES = 500;
/** A timestamp this far before the latest one comes from a clock that was set back: the time of receipt is nearer. */
const SET_BACK_MS = 2000;

/** The trusted books of one connection, and each one's last row position; timestamps never go back within one. */
export class HeldBooks {
  readonly #books = new Map<string, Held>();
  readonly #places = new Map<string, Place>();
  #latestMs = 0;

  /** The latest of the venue's timestamps (Unix ms); undefined before the first. */
  get latestMs(): number | undefined {
    return this.#latestMs === 0 ? undefined : this.#latestMs;
  }

  has(instrument: string): boolean {
    return this.#books.has(instrument);
  }

  drop(instrument: string): void {
    this.#books.delete(instrument);
  }

  dropAll(): void {
    this.#books.clear();
  }

  forget(instrument: string): void {
    this.#books.delete(instrument);
    this.#places.delete(instrument);
  }

  /** True also if there is no book to compare with or it changed since the request. */
  agrees(instrument: string, state: Ladder, requestedMs: number): boolean {
    const held = this.#books.get(instrument);
    return held === undefined || held.lastMessageMs > requestedMs || textOf(held.ladder) === textOf(state);
  }

  take({ msg, sending_ts_ms }: Kind<"orderbook_snapshot">, receivedMs: number): readonly InsertRow[] {
    const ladder = new Ladder();
    for (const [price, size] of msg.yes_dollars_fp ?? []) ladder.set("bids", price, size);
    for (const [price, size] of msg.no_dollars_fp ?? []) ladder.set("asks", price, size);
    this.#books.set(msg.market_ticker, { ladder, changes: 0, lastMessageMs: receivedMs });
    // Before 2026-10 a snapshot carries no timestamp.
    const ms = sending_ts_ms ?? (this.#latestMs === 0 ? receivedMs : this.#latestMs);
    return [toBookRow(this.#placeOf(msg.market_ticker, this.#timestampOf(ms, receivedMs)), ladder)];
  }

  /** Undefined if the change shows that the book was wrong; the book is then dropped. */
  change({ msg, sending_ts_ms }: Kind<"orderbook_delta">, receivedMs: number): readonly InsertRow[] | undefined {
    const instrument = msg.market_ticker;
    const held = this.#books.get(instrument);
    if (held === undefined) return [];
    const side = msg.side === "yes" ? "bids" : "asks";
    const total = held.ladder.add(side, msg.price_dollars, msg.delta_fp);
    if (total === undefined) {
      this.#books.delete(instrument);
      return undefined;
    }
    const ms = this.#timestampOf(msg.ts_ms ?? sending_ts_ms ?? receivedMs, receivedMs);
    const price = microText(toMicro(msg.price_dollars));
    const row = toBookRow(this.#placeOf(instrument, ms), held.ladder, { [side]: [[price, total]] });
    held.changes += 1;
    held.lastMessageMs = receivedMs;
    if (held.changes % CHECKPOINT_CHANGES !== 0) return [row];
    return [row, toBookRow(this.#placeOf(instrument, ms), held.ladder)];
  }

  /** A row for a snapshot not from the stream; none before the stream has sent a timestamp to place it at. */
  stateOf(instrument: string, state: Ladder): readonly InsertRow[] {
    return this.#latestMs === 0 ? [] : [toBookRow(this.#placeOf(instrument, this.#latestMs), state)];
  }

  #timestampOf(ms: number, receivedMs: number): number {
    const isSetBack = ms < this.#latestMs - SET_BACK_MS;
    this.#latestMs = Math.max(this.#latestMs, ms);
    return isSetBack ? receivedMs : ms;
  }

  #placeOf(instrument: string, ms: number): Place {
    const before = this.#places.get(instrument);
    const ts = Math.max(ms, before?.ts ?? 0);
    const place = { instrument, ts, seq: before?.ts === ts ? before.seq + 1 : 0 };
    this.#places.set(instrument, place);
    return place;
  }
}

const textOf = (ladder: Ladder): string => JSON.stringify([ladder.levels("bids"), ladder.levels("asks")]);

import type { Decoded, Resynced, Session } from "../../../definition/connector.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { bookEvents } from "../../../tables/book-events.ts";
import { BookCommands, type Command } from "./book-commands.ts";
import { readBookFrame, type BookFrame } from "./book-frame.ts";
import { Ladder } from "./ladder.ts";
import { microText } from "../../../definition/micro-text.ts";
import { toMicro } from "../wire/to-micro.ts";
import { Sequence } from "./sequence.ts";
import { toChangeRow, toSnapshotRow, type Place } from "./to-book-row.ts";

type Kind<T extends BookFrame["type"]> = Extract<BookFrame, { type: T }>;
type Held = { readonly ladder: Ladder; changes: number; heardMs: number };

/** A whole state is written again after so many changes, so that a past book is never far from one. */
const CHECKPOINT_CHANGES = 500;
/** The subscription is over: buffer overflow, channel error. */
const TERMINAL = new Set([10, 25]);
/** Worth asking again: could not process, timeout, shard trouble, too many commands. */
const PASSING = new Set([1, 18, 19, 20, 21, 22, 27]);

/**
 * One connection's books. A book is trusted from its snapshot on and until a number of its subscription is missing;
 * then the stream is asked for new snapshots, because a REST book has no number by which it could be joined to it.
 * Moments never go back within an instrument, so that the order of rows is the order of the stream.
 */
export class BookSession implements Session {
  readonly #commands = new BookCommands();
  readonly #pending = new Map<number, readonly string[]>();
  readonly #wanted = new Set<string>();
  readonly #refused = new Set<string>();
  /** Refused for good, e.g. a market that is not known: there is nothing to wait for. */
  readonly #hopeless = new Set<string>();
  readonly #books = new Map<string, Held>();
  readonly #places = new Map<string, Place>();
  #sid: number | undefined;
  #sequence = new Sequence();
  #latestMs = 0;

  subscribe(instruments: readonly string[]): readonly string[] {
    const fresh = instruments.filter((instrument) => !this.#wanted.has(instrument));
    for (const instrument of fresh) this.#wanted.add(instrument);
    return this.#ask(fresh);
  }

  unsubscribe(instruments: readonly string[]): readonly string[] {
    const leaving = instruments.filter((instrument) => this.#wanted.delete(instrument));
    for (const instrument of leaving) {
      this.#books.delete(instrument);
      this.#places.delete(instrument);
      this.#refused.delete(instrument);
      this.#hopeless.delete(instrument);
    }
    return this.#sid === undefined ? [] : this.#sent(this.#commands.update(this.#sid, "delete_markets", leaving));
  }

  decode(text: string, receivedMs: number): Decoded {
    const frame = readBookFrame(text);
    if (frame === undefined) return { rows: [] };
    if (frame.type === "subscribed") return this.#subscribed(frame);
    if (frame.type === "error") return this.#failed(frame);
    if (frame.type === "ok" && frame.id !== undefined) this.#pending.delete(frame.id);
    if (frame.seq === undefined || frame.sid === undefined || frame.sid !== this.#sid) return { rows: [] };
    const place = this.#sequence.take(frame.seq);
    if (place === "stale") return { rows: [] };
    const lost = place === "gap" ? this.#lose(`a frame before number ${frame.seq} is missing`) : { rows: [] };
    if (frame.type === "orderbook_snapshot") return merged(lost, this.#snapshot(frame, receivedMs));
    if (frame.type === "orderbook_delta") return merged(lost, this.#delta(frame, receivedMs));
    return lost;
  }

  /** A REST state serves only where the stream refuses its own; elsewhere the stream's snapshot is on its way. */
  adopt({ instrument, state }: Resynced): Decoded {
    if (!(state instanceof Ladder) || this.#latestMs === 0 || !this.#refused.delete(instrument)) return { rows: [] };
    const row = toSnapshotRow(this.#placeOf(instrument, this.#latestMs), state);
    return { rows: rowsOf([row]), send: this.#ask([instrument]) };
  }

  /** A REST book has no number: it may differ by what was told since it was asked for, not otherwise. */
  follows({ instrument, state }: Resynced, askedMs: number): boolean {
    const held = this.#books.get(instrument);
    if (held === undefined || held.heardMs > askedMs || !(state instanceof Ladder)) return true;
    return textOf(held.ladder) === textOf(state);
  }

  isWhole(instrument: string): boolean {
    return this.#books.has(instrument) || !this.#wanted.has(instrument);
  }

  isOutOfReach(instrument: string): boolean {
    return this.#hopeless.has(instrument);
  }

  #ask(instruments: readonly string[]): readonly string[] {
    const sid = this.#sid;
    return this.#sent(
      sid === undefined
        ? this.#commands.subscribe(instruments)
        : this.#commands.update(sid, "add_markets", instruments),
    );
  }

  #sent(commands: readonly Command[]): readonly string[] {
    for (const { id, tickers } of commands) this.#pending.set(id, tickers);
    return commands.map(({ frame }) => frame);
  }

  #subscribed(frame: Kind<"subscribed">): Decoded {
    if (frame.id !== undefined) this.#pending.delete(frame.id);
    if (frame.msg.channel !== "orderbook_delta" || frame.msg.sid === this.#sid) return { rows: [] };
    this.#sid = frame.msg.sid;
    this.#sequence = new Sequence();
    return { rows: [] };
  }

  #failed(frame: Kind<"error">): Decoded {
    const { code, msg = "" } = frame.msg;
    const reason = `Kalshi refused with ${code}: ${msg}`.slice(0, 200);
    if (TERMINAL.has(code)) {
      this.#sid = undefined;
      this.#books.clear();
      const all = [...this.#wanted];
      return { rows: [], broken: all.map((instrument) => ({ instrument, reason })), send: this.#ask(all) };
    }
    const tickers = (frame.id === undefined ? undefined : this.#pending.get(frame.id)) ?? [];
    if (frame.id !== undefined) this.#pending.delete(frame.id);
    const broken = tickers.filter((ticker) => this.#wanted.has(ticker) && !this.#books.has(ticker));
    for (const ticker of broken) (PASSING.has(code) ? this.#refused : this.#hopeless).add(ticker);
    return { rows: [], broken: broken.map((instrument) => ({ instrument, reason })) };
  }

  /** No book of the subscription can be trusted any more. */
  #lose(reason: string): Decoded {
    const all = [...this.#wanted];
    this.#books.clear();
    return { rows: [], broken: all.map((instrument) => ({ instrument, reason })), send: this.#again(all) };
  }

  #again(instruments: readonly string[]): readonly string[] {
    return this.#sid === undefined ? [] : this.#sent(this.#commands.update(this.#sid, "get_snapshot", instruments));
  }

  #snapshot({ id, msg, sending_ts_ms }: Kind<"orderbook_snapshot">, receivedMs: number): Decoded {
    if (id !== undefined) this.#pending.delete(id);
    const instrument = msg.market_ticker;
    if (!this.#wanted.has(instrument)) return { rows: [] };
    const ladder = new Ladder();
    for (const [price, size] of msg.yes_dollars_fp ?? []) ladder.set("bids", price, size);
    for (const [price, size] of msg.no_dollars_fp ?? []) ladder.set("asks", price, size);
    this.#books.set(instrument, { ladder, changes: 0, heardMs: receivedMs });
    this.#refused.delete(instrument);
    this.#hopeless.delete(instrument);
    // Before 2026-10 a snapshot carries no moment at all.
    const ms = sending_ts_ms ?? (this.#latestMs === 0 ? receivedMs : this.#latestMs);
    return { rows: rowsOf([toSnapshotRow(this.#placeOf(instrument, ms), ladder)]), restored: [instrument] };
  }

  #delta({ msg, sending_ts_ms }: Kind<"orderbook_delta">, receivedMs: number): Decoded {
    const instrument = msg.market_ticker;
    const held = this.#books.get(instrument);
    if (held === undefined) return { rows: [] };
    const side = msg.side === "yes" ? "bids" : "asks";
    const total = held.ladder.add(side, msg.price_dollars, msg.delta_fp);
    if (total === undefined) {
      this.#books.delete(instrument);
      const reason = "a level went below nothing";
      return { rows: [], broken: [{ instrument, reason }], send: this.#again([instrument]) };
    }
    const ms = msg.ts_ms ?? sending_ts_ms ?? receivedMs;
    const price = microText(toMicro(msg.price_dollars));
    const rows = [toChangeRow(this.#placeOf(instrument, ms), held.ladder, side, [price, total])];
    held.changes += 1;
    held.heardMs = receivedMs;
    if (held.changes % CHECKPOINT_CHANGES === 0) rows.push(toSnapshotRow(this.#placeOf(instrument, ms), held.ladder));
    return { rows: rowsOf(rows) };
  }

  #placeOf(instrument: string, ms: number): Place {
    const before = this.#places.get(instrument);
    const ts = Math.max(ms, before?.ts ?? 0);
    const place = { instrument, ts, seq: before?.ts === ts ? before.seq + 1 : 0 };
    this.#places.set(instrument, place);
    this.#latestMs = Math.max(this.#latestMs, ms);
    return place;
  }
}

const textOf = (ladder: Ladder): string => JSON.stringify([ladder.levels("bids"), ladder.levels("asks")]);

function rowsOf(rows: readonly InsertRow[]): Decoded["rows"] {
  return [{ table: bookEvents, rows }];
}

function merged(first: Decoded, second: Decoded): Decoded {
  return {
    rows: [...first.rows, ...second.rows],
    broken: [...(first.broken ?? []), ...(second.broken ?? [])],
    send: [...(first.send ?? []), ...(second.send ?? [])],
    restored: [...(first.restored ?? []), ...(second.restored ?? [])],
  };
}

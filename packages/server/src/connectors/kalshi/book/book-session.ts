import type { Decoded, Resynced, Session } from "../../../definition/connector.ts";
import { AskAgain } from "./ask-again.ts";
import { BookRequests } from "./book-requests.ts";
import { readBookFrame, type BookFrame } from "./book-frame.ts";
import { merged, rowsOf, sending } from "./decoded.ts";
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
  readonly #requests = new BookRequests();
  readonly #again = new AskAgain();
  readonly #wanted = new Set<string>();
  /** Refused for now: a state over REST serves meanwhile. */
  readonly #refused = new Set<string>();
  /** Refused for good, e.g. a market that is not known: there is nothing to wait for. */
  readonly #hopeless = new Set<string>();
  readonly #books = new Map<string, Held>();
  readonly #places = new Map<string, Place>();
  #sequence = new Sequence();
  #latestMs = 0;

  subscribe(instruments: readonly string[]): readonly string[] {
    const fresh = instruments.filter((instrument) => !this.#wanted.has(instrument));
    for (const instrument of fresh) this.#wanted.add(instrument);
    return this.#requests.add(fresh);
  }

  unsubscribe(instruments: readonly string[]): readonly string[] {
    const leaving = instruments.filter((instrument) => this.#wanted.delete(instrument));
    for (const instrument of leaving) {
      this.#books.delete(instrument);
      this.#places.delete(instrument);
      this.#refused.delete(instrument);
      this.#hopeless.delete(instrument);
      this.#again.forget(instrument);
    }
    return this.#requests.remove(leaving);
  }

  /** What is to be asked for again is, with the next frame that comes once it is due: heartbeats are answered too. */
  decode(text: string, receivedMs: number): Decoded {
    const decoded = this.#take(text, receivedMs);
    const send = this.#requests.again(this.#again.takeDue(receivedMs));
    return send.length === 0 ? decoded : merged(decoded, { rows: [], send });
  }

  /** A REST state serves only where the stream refuses its own; elsewhere the stream's snapshot is on its way. */
  adopt({ instrument, state }: Resynced, receivedMs: number): Decoded {
    const send = this.#requests.again(this.#again.takeDue(receivedMs));
    // Before the stream has told a moment there is none that the state could stand at.
    if (!(state instanceof Ladder) || this.#latestMs === 0 || !this.#refused.delete(instrument))
      return { rows: [], send };
    return { rows: rowsOf([toSnapshotRow(this.#placeOf(instrument, this.#latestMs), state)]), send };
  }

  #take(text: string, receivedMs: number): Decoded {
    const frame = readBookFrame(text);
    if (frame === undefined) return { rows: [] };
    if (frame.type === "subscribed") return this.#subscribed(frame);
    if (frame.type === "error") return this.#failed(frame, receivedMs);
    const send = frame.type === "ok" ? this.#requests.accepted(frame.id, (ticker) => this.#isLacking(ticker)) : [];
    const answered = sending(send);
    if (frame.seq === undefined || !this.#requests.isOf(frame.sid)) return answered;
    const place = this.#sequence.take(frame.seq);
    if (place === "stale") return answered;
    const lost = place === "gap" ? this.#lose(`a frame before number ${frame.seq} is missing`) : answered;
    if (frame.type === "orderbook_snapshot") return merged(lost, this.#snapshot(frame, receivedMs));
    if (frame.type === "orderbook_delta") return merged(lost, this.#delta(frame, receivedMs));
    return lost;
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

  #isLacking(ticker: string): boolean {
    return this.#wanted.has(ticker) && !this.#books.has(ticker);
  }

  #subscribed(frame: Kind<"subscribed">): Decoded {
    const isOurs = frame.msg.channel === "orderbook_delta";
    if (isOurs && this.#requests.opened(frame.msg.sid)) this.#sequence = new Sequence();
    const send = this.#requests.accepted(frame.id, (ticker) => this.#isLacking(ticker));
    return sending(send);
  }

  #failed(frame: Kind<"error">, receivedMs: number): Decoded {
    const { code, msg = "" } = frame.msg;
    const reason = `Kalshi refused with ${code}: ${msg}`.slice(0, 200);
    if (TERMINAL.has(code)) {
      this.#requests.ended();
      this.#books.clear();
      const all = [...this.#wanted];
      for (const ticker of all) this.#again.settle(ticker);
      return { rows: [], broken: all.map((instrument) => ({ instrument, reason })), send: this.#requests.add(all) };
    }
    const broken = this.#requests.refused(frame.id).filter((ticker) => this.#isLacking(ticker));
    const isPassing = PASSING.has(code);
    for (const ticker of broken) {
      (isPassing ? this.#refused : this.#hopeless).add(ticker);
      (isPassing ? this.#hopeless : this.#refused).delete(ticker);
    }
    if (isPassing) this.#again.need(broken, receivedMs);
    else for (const ticker of broken) this.#again.settle(ticker);
    return { rows: [], broken: broken.map((instrument) => ({ instrument, reason })) };
  }

  /** No book of the subscription can be trusted any more. What was refused for good stays so. */
  #lose(reason: string): Decoded {
    const all = [...this.#wanted];
    this.#books.clear();
    const asked = all.filter((ticker) => !this.#hopeless.has(ticker) && !this.#again.isWaiting(ticker));
    return { rows: [], broken: all.map((instrument) => ({ instrument, reason })), send: this.#requests.again(asked) };
  }

  #snapshot({ id, msg, sending_ts_ms }: Kind<"orderbook_snapshot">, receivedMs: number): Decoded {
    const instrument = msg.market_ticker;
    if (!this.#wanted.has(instrument)) return { rows: [] };
    this.#requests.came(instrument, id);
    const ladder = new Ladder();
    for (const [price, size] of msg.yes_dollars_fp ?? []) ladder.set("bids", price, size);
    for (const [price, size] of msg.no_dollars_fp ?? []) ladder.set("asks", price, size);
    this.#books.set(instrument, { ladder, changes: 0, heardMs: receivedMs });
    this.#refused.delete(instrument);
    this.#hopeless.delete(instrument);
    this.#again.settle(instrument);
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
      return { rows: [], broken: [{ instrument, reason }], send: this.#requests.again([instrument]) };
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

import type { Decoded, Resynced, Session } from "../../../definition/session.ts";
import { AskAgain } from "./ask-again.ts";
import { BookRequests } from "./book-requests.ts";
import { readBookEnvelope, type BookEnvelope, type BookFrame, Sequence } from "./book-frame.ts";
import { HeldBooks } from "./held-books.ts";
import { Ladder } from "./ladder.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { bookEvents } from "../../../tables/book-events.ts";

type Kind<T extends BookFrame["type"]> = Extract<BookFrame, { type: T }>;

/** Errors that end the subscription: buffer overflow, channel error. */
const TERMINAL = new Set([10, 25]);
/** Errors worth a retry: could not process, timeout, shard trouble, too many commands. */
const PASSING = new Set([1, 18, 19, 20, 21, 22, 27]);

/**
 * The books of one connection. A book is trusted from its snapshot on until a sequence number of its subscription is
 * missing; then new snapshots are requested from the stream, because a REST book has no number by which to join it.
 * Timestamps never go back within an instrument, so that rows sort in stream order.
 */
export class BookSession implements Session {
  readonly #requests = new BookRequests();
  readonly #again = new AskAgain();
  readonly #wanted = new Set<string>();
  /** Temporarily refused: a REST snapshot is used meanwhile. */
  readonly #refused = new Set<string>();
  /** Permanently refused, e.g. an unknown market: nothing will come. */
  readonly #hopeless = new Set<string>();
  /** Markets whose last frame could not be read; a readable snapshot may come any time. */
  readonly #unread = new Set<string>();
  readonly #books = new HeldBooks();
  #sequence = new Sequence();

  subscribe(instruments: readonly string[]): readonly string[] {
    const fresh = instruments.filter((instrument) => !this.#wanted.has(instrument));
    for (const instrument of fresh) this.#wanted.add(instrument);
    return this.#requests.add(fresh);
  }

  unsubscribe(instruments: readonly string[]): readonly string[] {
    const leaving = instruments.filter((instrument) => this.#wanted.delete(instrument));
    for (const instrument of leaving) {
      this.#books.forget(instrument);
      this.#refused.delete(instrument);
      this.#hopeless.delete(instrument);
      this.#unread.delete(instrument);
      this.#again.forget(instrument);
    }
    return this.#requests.remove(leaving);
  }

  /** Also sends the requests that are due for retry; heartbeats count as frames, so this runs even without changes. */
  decode(text: string, receivedMs: number): Decoded {
    const decoded = this.#take(text, receivedMs);
    const send = this.#requests.again(this.#again.takeDue(receivedMs));
    return send.length === 0 ? decoded : merged(decoded, { rows: [], send });
  }

  /** A REST snapshot is used only if the stream refuses its own; otherwise the stream's snapshot is expected. */
  adopt({ instrument, state }: Resynced, receivedMs: number): Decoded {
    if (this.#isLacking(instrument) && !this.#hopeless.has(instrument)) this.#again.expect([instrument], receivedMs);
    const send = this.#requests.again(this.#again.takeDue(receivedMs));
    if (!(state instanceof Ladder) || !this.#refused.delete(instrument)) return { rows: [], send };
    return { rows: rowsOf(this.#books.stateOf(instrument, state)), send };
  }

  #take(text: string, receivedMs: number): Decoded {
    const envelope = readBookEnvelope(text);
    const seq = this.#requests.isOf(envelope.sid) ? envelope.seq : undefined;
    const place = seq === undefined ? undefined : this.#sequence.look(seq);
    // Every frame of a new count was skipped: changes are missing since the last one of the old count.
    const since = place === "gap" && this.#sequence.isRestarted() ? this.#books.latestMs : undefined;
    const frame = place === "stale" ? undefined : this.#read(envelope, place, receivedMs);
    if (seq !== undefined) this.#sequence.take(seq);
    const answered = sending(frame?.type === "ok" ? this.#accepted(frame.id) : []);
    const lost = place === "gap" ? this.#lose(`a frame before number ${seq} is missing`, since) : answered;
    if (frame?.type === "subscribed") return this.#subscribed(frame);
    if (frame?.type === "error") {
      const failed = this.#failed(frame, receivedMs);
      return place === "gap" ? merged(lost, failed) : failed;
    }
    if (seq === undefined) return answered;
    if (frame?.type === "orderbook_snapshot") return merged(lost, this.#snapshot(frame, receivedMs));
    if (frame?.type === "orderbook_delta") return merged(lost, this.#delta(frame, receivedMs));
    return lost;
  }

  /** A REST book has no sequence number: it may differ only if changes arrived since it was requested. */
  follows({ instrument, state }: Resynced, requestedMs: number): boolean {
    return !(state instanceof Ladder) || this.#books.agrees(instrument, state, requestedMs);
  }

  isWhole(instrument: string): boolean {
    return this.#books.has(instrument) || !this.#wanted.has(instrument);
  }

  isOutOfReach(instrument: string): boolean {
    return !this.#books.has(instrument) && (this.#hopeless.has(instrument) || this.#unread.has(instrument));
  }

  /**
   * An unreadable frame is counted and invalidates its own book; after a gap it is not, so that the next one shows the
   * gap.
   */
  #read(envelope: BookEnvelope, place: "next" | "gap" | undefined, receivedMs: number): BookFrame | undefined {
    try {
      return envelope.read();
    } catch (error) {
      if (place === "next" && envelope.seq !== undefined) this.#sequence.take(envelope.seq);
      const { market, isOfBook } = envelope;
      if (isOfBook) this.#drop(market === undefined ? [...this.#wanted] : [market], receivedMs);
      if (market !== undefined && this.#wanted.has(market)) this.#unread.add(market);
      throw error;
    }
  }

  #drop(instruments: readonly string[], nowMs: number): void {
    const dropped = instruments.filter((instrument) => this.#wanted.has(instrument));
    for (const instrument of dropped) this.#books.drop(instrument);
    const requested = dropped.filter((instrument) => !this.#hopeless.has(instrument));
    this.#again.need(requested, nowMs);
  }

  #accepted(id: number | undefined): readonly string[] {
    return this.#requests.accepted(id, (ticker) => this.#isLacking(ticker));
  }

  #isLacking(ticker: string): boolean {
    return this.#wanted.has(ticker) && !this.#books.has(ticker);
  }

  #subscribed(frame: Kind<"subscribed">): Decoded {
    const isOurs = frame.msg.channel === "orderbook_delta";
    if (isOurs && this.#requests.opened(frame.msg.sid)) this.#sequence = new Sequence();
    return sending(this.#accepted(frame.id));
  }

  #failed(frame: Kind<"error">, receivedMs: number): Decoded {
    const { code, msg = "" } = frame.msg;
    const reason = `Kalshi refused with ${code}: ${msg}`.slice(0, 200);
    if (TERMINAL.has(code)) {
      this.#requests.ended();
      this.#books.dropAll();
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

  /** No book of the subscription can be trusted any more. Permanent refusals stay. */
  #lose(reason: string, since?: number): Decoded {
    const all = [...this.#wanted];
    this.#books.dropAll();
    const requested = all.filter((ticker) => !this.#hopeless.has(ticker) && !this.#again.isWaiting(ticker));
    return {
      rows: [],
      broken: all.map((instrument) => (since === undefined ? { instrument, reason } : { instrument, reason, since })),
      send: this.#requests.again(requested),
    };
  }

  #snapshot(frame: Kind<"orderbook_snapshot">, receivedMs: number): Decoded {
    const instrument = frame.msg.market_ticker;
    if (!this.#wanted.has(instrument)) return { rows: [] };
    this.#requests.came(instrument, frame.id);
    this.#refused.delete(instrument);
    this.#hopeless.delete(instrument);
    this.#unread.delete(instrument);
    this.#again.settle(instrument);
    return { rows: rowsOf(this.#books.take(frame, receivedMs)), restored: [instrument] };
  }

  #delta(frame: Kind<"orderbook_delta">, receivedMs: number): Decoded {
    const instrument = frame.msg.market_ticker;
    const rows = this.#books.change(frame, receivedMs);
    if (rows?.length === 0) return { rows: [] };
    if (rows !== undefined) return { rows: rowsOf(rows), venueMs: frame.msg.ts_ms ?? frame.sending_ts_ms };
    const reason = "a level's size fell below zero";
    return { rows: [], broken: [{ instrument, reason }], send: this.#requests.again([instrument]) };
  }
}

function rowsOf(rows: readonly InsertRow[]): Decoded["rows"] {
  return rows.length === 0 ? [] : [{ table: bookEvents, rows }];
}

function sending(send: readonly string[]): Decoded {
  return send.length === 0 ? { rows: [] } : { rows: [], send };
}

function merged(first: Decoded, second: Decoded): Decoded {
  const venueMs = second.venueMs ?? first.venueMs;
  return {
    rows: [...first.rows, ...second.rows],
    ...(venueMs === undefined ? {} : { venueMs }),
    broken: [...(first.broken ?? []), ...(second.broken ?? [])],
    send: [...(first.send ?? []), ...(second.send ?? [])],
    restored: [...(first.restored ?? []), ...(second.restored ?? [])],
  };
}

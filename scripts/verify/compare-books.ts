import type { Book, BookHistory, Instrument, Venue } from "./book-history.ts";
import type { Running } from "./scene.ts";
import { countRows } from "./settle.ts";
import { Comparison, type Row, type Tally } from "./tally.ts";

const AGENT = { polymarket: 572, kalshi: 1102 } as const;
const NAME = { polymarket: "572 polymarket-order-book", kalshi: "1102 kalshi-order-book" } as const;
/** Size units per share or contract. */
const UNITS = { polymarket: 1e6, kalshi: 100 } as const;

type Timestamp = { readonly instrument: Instrument; readonly ms: number };

/** Requests this many books of one venue at random past times between `fromMs` and `toMs`. */
export async function compareBooks(
  history: Pick<BookHistory, "instruments" | "changesOf" | "bookAt">,
  running: Pick<Running, "ask" | "store">,
  venue: Venue,
  requested: { readonly count: number; readonly fromMs: number; readonly toMs: number; readonly random: () => number },
): Promise<Tally> {
  const all = history.instruments.filter((instrument) => instrument.venue === venue);
  const busy = all.filter((instrument) => history.changesOf(instrument) > 0);
  const timestamps = new Map<string, Timestamp>();
  for (let n = 0; n < requested.count && all.length > 0; n += 1) {
    // Mostly books that moved; the rest must be correct too.
    const from = busy.length > 0 && n % 4 !== 3 ? busy : all;
    const instrument = from[Math.floor(requested.random() * from.length)];
    const toMs = Math.min(requested.toMs, (instrument?.endMs ?? Infinity) - 1);
    const ms = requested.fromMs + Math.floor(requested.random() * (toMs - requested.fromMs + 1));
    if (instrument !== undefined && ms >= requested.fromMs)
      timestamps.set(`${instrument.name} ${ms}`, { instrument, ms });
  }
  const compared = new Comparison(timestamps, ({ instrument, ms }) => expectedBook(history.bookAt(instrument, ms), ms));
  for (const [key, { instrument, ms }] of timestamps) {
    const name = venue === "polymarket" ? "token_id" : "ticker";
    const params = { [name]: instrument.name, start_time: String(ms), end_time: String(ms) };
    const { rows } = await running.ask(AGENT[venue], params, { limit: 10 });
    for (const row of rows) compared.take(key, toComparable(row, venue));
  }
  const held = await countHeld(running, all);
  // Every instrument with a book must be stored; then the stored count is the requested count.
  const tally = compared.end(NAME[venue], timestamps.size);
  const missing = all.length - held;
  return missing === 0
    ? tally
    : { ...tally, stored: 0, examples: [...tally.examples, `${missing} of ${all.length} books were never stored`] };
}

async function countHeld(running: Pick<Running, "ask" | "store">, instruments: readonly Instrument[]): Promise<number> {
  let held = 0;
  for (let place = 0; place < instruments.length; place += 500) {
    const names = instruments.slice(place, place + 500).map(({ name }) => `'${name.replaceAll("'", "")}'`);
    held += await countRows(
      running,
      `(SELECT DISTINCT instrument FROM book_events WHERE kind = 'snapshot' AND instrument IN (${names.join(", ")}))`,
    );
  }
  return held;
}

function expectedBook(book: Book, ms: number): Row {
  const [bid, ask] = [priceOf(book, "bid", Math.max), priceOf(book, "ask", Math.min)];
  return {
    levels: JSON.stringify([...book].toSorted(byLevel)),
    best_bid: bid === undefined ? null : (bid / 10_000).toFixed(6),
    best_ask: ask === undefined ? null : (ask / 10_000).toFixed(6),
    isOrdered: true,
    timestamp: (got: unknown) => (Date.parse(String(got)) <= ms ? undefined : `not after ${ms}`),
  };
}

function priceOf(book: Book, side: "bid" | "ask", pick: (...prices: number[]) => number): number | undefined {
  const prices = [...book.keys()].filter((level) => level.startsWith(side)).map((level) => Number(level.slice(4)));
  return prices.length === 0 ? undefined : pick(...prices);
}

type Level = { readonly price: string; readonly size: string };

/** The response's levels in the truth's units; asks must be in descending and bids in ascending order of price. */
function toComparable(row: Row, venue: Venue): Row {
  const [bids, asks] = [row["bids"], row["asks"]].map((side) => JSON.parse(String(side)) as Level[]);
  const toLevels = (side: string, levels: readonly Level[] = []): [string, number][] =>
    levels.map(({ price, size }) => [
      `${side} ${Math.round(Number(price) * 10_000)}`,
      Math.round(Number(size) * UNITS[venue]),
    ]);
  const [low, high] = [bids ?? [], (asks ?? []).toReversed()];
  return {
    levels: JSON.stringify([...toLevels("bid", bids), ...toLevels("ask", asks)].toSorted(byLevel)),
    best_bid: row["best_bid"],
    best_ask: row["best_ask"],
    timestamp: row["timestamp"],
    isOrdered: isRising(low) && isRising(high),
  };
}

function isRising(levels: readonly Level[]): boolean {
  return levels.every((level, index) => index === 0 || Number(level.price) > Number(levels[index - 1]?.price));
}

function byLevel(a: readonly [string, number], b: readonly [string, number]): number {
  return a[0] < b[0] ? -1 : 1;
}

import type { Day, WalletSample } from "./measures.ts";
import { PATTERN_DAYS, WINDOW_DAYS } from "./scored-span-sql.ts";
import type { PackedSlice } from "./pack-slice.ts";
import { COUNTS, PLACE, SUMMED, toEvent, withoutEntries } from "./summed-columns.ts";

const MILLION = 1_000_000;
const WIDTH = SUMMED.length;
/** In the order of the enum values of wallet_patterns. */
const PATTERNS = ["wash", "sybil", "farmer", "bothSides"] as const;

type Window = { readonly first: number; readonly last: number };

/**
 * The samples of a slice's wallets as of a day (since 1970), in order of their addresses: of those with at least
 * `least` entries in the window, which may be 0.
 */
export function* samplesOf(slice: PackedSlice, last: number, least: number): Generator<WalletSample> {
  const window = { first: last - WINDOW_DAYS + 1, last };
  const categoryOf = (event: number): string => slice.categories[event] ?? "";
  const sums = new EventSums();
  for (const [place, wallet] of slice.wallets.entries()) {
    if (slice.entries.counts.within(place, window.first, last) < least) continue;
    const rows = rowsIn(slice.entries, place, window);
    if (rows.length === 0) continue;
    sums.fill(slice, rows);
    const profits = eventProfits(slice, place, window);
    const events = sums.events.map((event, index) =>
      toEvent(sums.figures, index * WIDTH, categoryOf(event), profits.get(event) ?? []),
    );
    for (const event of sums.events) profits.delete(event);
    // Events with profits only come last, in the order of their markets.
    for (const [event, own] of profits) events.push(withoutEntries(categoryOf(event), own));
    const penalty = { ...patternsOf(slice, place, last), averageEntry: sums.averageEntry() };
    yield { wallet, events, days: daysOf(slice, place, window), penalty };
  }
}

/** Rows of a wallet whose day is in a window. */
function rowsIn(
  { ends, day }: PackedSlice["days" | "entries" | "profits" | "patterns"],
  place: number,
  { first, last }: Window,
): number[] {
  const rows: number[] = [];
  const end = ends[place] ?? 0;
  for (let row = ends[place - 1] ?? 0; row < end; row += 1) {
    const at = day[row] ?? 0;
    if (at >= first && at <= last) rows.push(row);
  }
  return rows;
}

/** Sums of a wallet's rows by event, in the order of the rows; the columns are reused for the next wallet. */
class EventSums {
  events: number[] = [];
  /** Sums of the SUMMED columns for each event. */
  figures = new Float64Array(0);

  fill({ entries }: PackedSlice, rows: readonly number[]): void {
    this.events = [];
    if (this.figures.length < rows.length * WIDTH) this.figures = new Float64Array(2 * rows.length * WIDTH);
    let end = 0;
    for (const row of rows) {
      const event = entries.event[row] ?? 0;
      if (end === 0 || this.events.at(-1) !== event) {
        this.events.push(event);
        this.figures.fill(0, end, end + WIDTH);
        end += WIDTH;
      }
      // Amounts are summed in millionths, so that their order changes no digit.
      for (let column = 0; column < WIDTH; column += 1)
        this.figures[end - WIDTH + column] =
          (this.figures[end - WIDTH + column] ?? 0) + (entries.figures[row * WIDTH + column] ?? 0);
    }
    for (let at = 0; at < end; at += WIDTH)
      for (let column = COUNTS; column < WIDTH; column += 1)
        this.figures[at + column] = (this.figures[at + column] ?? 0) / MILLION;
  }

  /** Notional over shares of all purchases; null without any. */
  averageEntry(): number | null {
    let [bought, shares] = [0, 0];
    for (let at = 0; at < this.events.length * WIDTH; at += WIDTH) {
      bought += this.figures[at + PLACE.bought_usd] ?? 0;
      shares += this.figures[at + PLACE.shares] ?? 0;
    }
    return shares > 0 ? bought / shares : null;
  }
}

/** Profits of markets by event; both in the order of the markets, whose rows are contiguous. */
function eventProfits({ profits }: PackedSlice, place: number, { first, last }: Window): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const { ends, day, event, market, micros } = profits;
  const end = ends[place] as number;
  let [ofMarket, ofEvent, sum] = [0, 0, 0];
  const close = (): void => {
    if (ofMarket === 0) return;
    const own = found.get(ofEvent);
    if (own) own.push(sum / MILLION);
    else found.set(ofEvent, [sum / MILLION]);
  };
  for (let row = ends[place - 1] ?? 0; row < end; row += 1) {
    const at = day[row] as number;
    if (at < first || at > last) continue;
    if (market[row] !== ofMarket) {
      close();
      [ofMarket, ofEvent, sum] = [market[row] as number, event[row] as number, 0];
    }
    sum += micros[row] as number;
  }
  close();
  return found;
}

const daysOf = ({ days }: PackedSlice, place: number, window: Window): Day[] =>
  rowsIn(days, place, window).map((row) => ({ profit: days.profit[row] ?? 0, capital: days.capital[row] ?? 0 }));

function patternsOf({ patterns }: PackedSlice, place: number, last: number) {
  const found = { wash: 0, sybil: 0, farmer: 0, bothSides: 0 };
  // The newest row of a pattern comes last.
  for (const row of rowsIn(patterns, place, { first: last - PATTERN_DAYS + 1, last })) {
    const pattern = PATTERNS[(patterns.pattern[row] ?? 0) - 1];
    if (pattern) found[pattern] = patterns.score[row] ?? 0;
  }
  return found;
}

import type { Day } from "./calm.ts";
import { PATTERN_DAYS, WINDOW_DAYS } from "./eligible-sql.ts";
import type { PackedSlice } from "./pack-slice.ts";
import { COUNTS, SUMMED, toEvent, withoutEntries } from "./summed-columns.ts";
import type { WalletSample } from "./wallet-sample.ts";

const MILLION = 1_000_000;
const WIDTH = SUMMED.length;
const [ENTRIES, BOUGHT, SHARES] = [SUMMED.indexOf("entries"), SUMMED.indexOf("bought_usd"), SUMMED.indexOf("shares")];
/** In the order of the words of wallet_patterns. */
const PATTERNS = ["wash", "sybil", "farmer", "bothSides"] as const;

type Window = { readonly first: number; readonly last: number };

/**
 * The samples of a slice's wallets as of a day (since 1970), in order of their addresses: of those with at least so many
 * entries in the window, which may be none.
 */
export function samplesOf(slice: PackedSlice, last: number, least: number): WalletSample[] {
  const window = { first: last - WINDOW_DAYS + 1, last };
  return slice.wallets.flatMap((wallet, place) => {
    const sums = eventSums(slice, place, window);
    const entries = sums.reduce((sum, { figures }) => sum + (figures[ENTRIES] ?? 0), 0);
    if (sums.length === 0 || entries < least) return [];
    const profits = eventProfits(slice, place, window);
    const categoryOf = (event: number): string => slice.categories[event] ?? "";
    const events = sums.map(({ event, figures }) => toEvent(figures, categoryOf(event), profits.get(event) ?? []));
    for (const { event } of sums) profits.delete(event);
    // Those with profits alone come last, in the order of their markets.
    for (const [event, own] of profits) events.push(withoutEntries(categoryOf(event), own));
    return [{ wallet, events, days: daysOf(slice, place, window), penalty: penaltyOf(slice, place, { last, sums }) }];
  });
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

type EventSums = { readonly event: number; readonly figures: number[] };

/** By event, in the order of the rows. Amounts are added up in millionths, where no order changes a digit. */
function eventSums({ entries }: PackedSlice, place: number, window: Window): EventSums[] {
  const sums: EventSums[] = [];
  for (const row of rowsIn(entries, place, window)) {
    const event = entries.event[row] ?? 0;
    let own = sums.at(-1);
    if (own?.event !== event) sums.push((own = { event, figures: SUMMED.map(() => 0) }));
    const { figures } = own;
    for (let column = 0; column < WIDTH; column += 1)
      figures[column] = (figures[column] ?? 0) + (entries.figures[row * WIDTH + column] ?? 0);
  }
  for (const { figures } of sums)
    for (let column = COUNTS; column < WIDTH; column += 1) figures[column] = (figures[column] ?? 0) / MILLION;
  return sums;
}

/** By event, the profits of its markets; both in the order of the markets. */
function eventProfits({ profits }: PackedSlice, place: number, window: Window): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const rows = rowsIn(profits, place, window);
  let micros = 0;
  for (const [index, row] of rows.entries()) {
    micros += profits.micros[row] ?? 0;
    const next = rows[index + 1];
    if (next !== undefined && profits.market[next] === profits.market[row]) continue;
    const event = profits.event[row] ?? 0;
    const own = found.get(event);
    if (own) own.push(micros / MILLION);
    else found.set(event, [micros / MILLION]);
    micros = 0;
  }
  return found;
}

const daysOf = ({ days }: PackedSlice, place: number, window: Window): Day[] =>
  rowsIn(days, place, window).map((row) => ({ profit: days.profit[row] ?? 0, capital: days.capital[row] ?? 0 }));

type Penalised = { readonly last: number; readonly sums: readonly EventSums[] };

function penaltyOf({ patterns }: PackedSlice, place: number, { last, sums }: Penalised): WalletSample["penalty"] {
  const found = { wash: 0, sybil: 0, farmer: 0, bothSides: 0 };
  // The newest row of a pattern is the last.
  for (const row of rowsIn(patterns, place, { first: last - PATTERN_DAYS + 1, last })) {
    const pattern = PATTERNS[(patterns.pattern[row] ?? 0) - 1];
    if (pattern) found[pattern] = patterns.score[row] ?? 0;
  }
  let [bought, shares] = [0, 0];
  for (const { figures } of sums) {
    bought += figures[BOUGHT] ?? 0;
    shares += figures[SHARES] ?? 0;
  }
  return { ...found, averageEntry: shares > 0 ? bought / shares : null };
}

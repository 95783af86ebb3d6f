import { LRUCache } from "lru-cache";
import { narrowed, exactMicros, microsOf, type Micros } from "../definition/micros.ts";
import { roundedParts } from "../definition/value-text.ts";
import { inPercent } from "../definition/served-buckets.ts";
import type { Bound } from "../definition/sql.ts";
import { decimalOfReal, ofAmounts, ofCounts, type Decimal } from "../derivations/wallet-figures/amounts.ts";
import type { PlacedScore, PlacedScores } from "../derivations/wallet-score/score-board.ts";
import type { BoardRow, BoardSums } from "../derivations/wallet-window/board-columns.ts";
import type { RankedWallets } from "../derivations/wallet-window/ranked-wallets.ts";
import { above, atLeast, atMost, meetsAll, microsIn, quotientIn, rateOf, type Keep } from "./board-filters.ts";
import { LEAST, NO_PLACE, sortOf } from "./score-orders.ts";

type Requested = Readonly<Partial<Record<string, Bound>>>;
/** Values that the order compares. */
type Standing = { readonly by: Micros; readonly place: number; readonly wallet: string };

/** A wallet in an order; without `placed` it is outside the pool. */
export type ScoreEntry = Standing & { readonly placed: PlacedScore | undefined };

const MICRO_PLACES = 6;
const MICROS = 1_000_000;
const PERCENT_PLACES = 1;
const USD_PLACES = 2;
const SHARPE_PLACES = 2;
const NONE = exactMicros(microsOf(LEAST));

/** The sums of a wallet without activity. */
export const IDLE: BoardRow = {
  key: "",
  trades: 0,
  wins: 0,
  losses: 0,
  invested: 0,
  pnl: 0,
  fees: 0,
  sharpe: Number.NaN,
};

export const roiPercent = ({ pnl, invested }: BoardSums): Decimal | null => inPercent(ofAmounts(pnl, invested));
export const ratePercent = ({ wins, losses }: BoardSums): Decimal | null => inPercent(ofCounts(wins, wins + losses));

const shown = (parts: bigint, held: number, places: number): Micros =>
  narrowed(roundedParts(parts, held, places) * 10n ** BigInt(MICRO_PLACES - places));
const shownDecimal = (value: Decimal | null, places: number): Micros =>
  value === null ? NONE : shown(value.parts, value.places, places);
const shownPercent = (value: Decimal | null): Micros => shownDecimal(value, PERCENT_PLACES);

/** Values that entries are sorted by before their places, in millionths, rounded as in scoreOrder. */
const SORTS: Readonly<Record<string, (sums: BoardSums) => Micros>> = {
  h_score: () => 0,
  roi: (sums) => shownPercent(roiPercent(sums)),
  pnl: ({ pnl }) => shown(BigInt(pnl), MICRO_PLACES, USD_PLACES),
  win_rate: (sums) => shownPercent(ratePercent(sums)),
  trades: ({ trades }) => trades * MICROS,
  sharpe: ({ sharpe }) => shownDecimal(Number.isNaN(sharpe) ? null : decimalOfReal(sharpe), SHARPE_PLACES),
};

/** The cheapest filters first. */
const FILTERS: Readonly<Record<string, (bound: Bound) => Keep>> = {
  min_pnl_15d: (bound) => above(microsIn(bound), ({ pnl }) => pnl),
  min_total_trades_15d: ({ value }) => atLeast(Number(value), ({ trades }) => trades),
  max_total_trades_15d: ({ value }) => atMost(Number(value), ({ trades }) => trades),
  min_roi_15d: (bound) => above(quotientIn(bound), (sums) => roiPercent(sums)?.parts),
  min_win_rate_15d: (bound) => atLeast(quotientIn(bound), rateOf),
  max_win_rate_15d: (bound) => atMost(quotientIn(bound), rateOf),
};

type Ranked = { readonly scores: PlacedScores; readonly board: RankedWallets };
type Kept = { readonly scores: PlacedScores; readonly entries: readonly ScoreEntry[] };

/** Number of queries cached per board, for the board's lifetime. */
const MAX_QUESTIONS = 8;
const kept = new WeakMap<RankedWallets, LRUCache<string, Kept>>();

/** All requested entries, in order: those of the pool, or of the named wallets. */
export function entriesOf(p: Requested, { scores, board }: Ranked): readonly ScoreEntry[] {
  const wallets = p["wallet"]?.value as readonly string[] | undefined;
  if (wallets !== undefined)
    return chosen(p, { scores, board }, [
      ...new Set(wallets.filter((one) => scores.byKey.has(one) || board.row(one) !== undefined)),
    ]);
  const questions = kept.get(board) ?? new LRUCache<string, Kept>({ max: MAX_QUESTIONS });
  kept.set(board, questions);
  const question = JSON.stringify(["sort_by", ...Object.keys(FILTERS)].map((param) => p[param]?.value));
  const known = questions.get(question);
  if (known?.scores === scores) return known.entries;
  const entries = chosen(
    p,
    { scores, board },
    scores.rows.map(({ row }) => row.key),
  );
  questions.set(question, { scores, entries });
  return entries;
}

function chosen(p: Requested, { scores, board }: Ranked, wallets: readonly string[]): ScoreEntry[] {
  const meets = meetsAll(FILTERS, p);
  const by = SORTS[sortOf(p["sort_by"])] as (sums: BoardSums) => Micros;
  const sumsOf = board.sums();
  const entries: ScoreEntry[] = [];
  for (const wallet of wallets) {
    const sums = sumsOf(wallet) ?? IDLE;
    if (!meets(sums)) continue;
    const placed = scores.byKey.get(wallet);
    entries.push({ wallet, place: placed?.place ?? NO_PLACE, by: by(sums), placed });
  }
  return entries.sort(compare);
}

function compare(a: Standing, b: Standing): number {
  if (a.by !== b.by) return a.by > b.by ? -1 : 1;
  if (a.place !== b.place) return a.place - b.place;
  return a.wallet < b.wallet ? -1 : a.wallet > b.wallet ? 1 : 0;
}

/** The next `count` entries after a cursor's position, as OrderKey.value reads it back from a row. */
export function entriesAfter(
  entries: readonly ScoreEntry[],
  after: readonly (string | number)[] | undefined,
  count: number,
): readonly ScoreEntry[] {
  if (after === undefined) return entries.slice(0, count);
  const [place, wallet] = after.slice(-2);
  const by = after.length > 2 ? exactMicros(microsOf(String(after[0]))) : 0;
  const standing = { by, place: Number(place), wallet: String(wallet) };
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(entries[middle] as ScoreEntry, standing) <= 0) low = middle + 1;
    else high = middle;
  }
  return entries.slice(low, low + count);
}

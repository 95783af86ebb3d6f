import type { MadeValue } from "../definition/served-buckets.ts";
import type { KeyedAsking, KeyedReader, KeyedSearch, ServedKeyed } from "../definition/served-keyed.ts";
import { sql, type Bound } from "../definition/sql.ts";
import { decimalOfReal, figure, roundedReal } from "../derivations/wallet-figures/amounts.ts";
import { countMarkets, detailsOf } from "../derivations/wallet-keyed/shown-details.ts";
import { hasPool } from "../derivations/wallet-score/newest-pool-sql.ts";
import { type Drawable, type Drawn, poolBounds } from "../derivations/wallet-score/draw-bounds.ts";
import { placedScores, scoreBoard } from "../derivations/wallet-score/score-board.ts";
import { WIDE_INTERVAL } from "../derivations/wallet-score/reasons.ts";
import { CONTEXT_DAYS } from "../derivations/wallet-window/wallet-window.ts";
import { dayNumber, lastDaySql } from "../definition/timestamp.ts";
import type { BoardRow } from "../derivations/wallet-window/board-columns.ts";
import { walletBoard } from "../derivations/wallet-window/wallet-board.ts";
import { servedWalletDays } from "../tables/served-wallet-days.ts";
import { walletScores } from "../tables/wallet-scores.ts";
import { entriesAfter, entriesOf, IDLE, ratePercent, roiPercent, type ScoreEntry } from "./score-entries.ts";
import { sortOf } from "./score-orders.ts";

/** An entry with its sums over the fifteen days. */
type Shown = ScoreEntry & { readonly sums: BoardRow };
type Requested = Readonly<Partial<Record<string, Bound>>>;

const DAY = 86_400;
const DAYS = 15;
/** Days read: those of the longest window, and the day before the fifteen for the opening holdings. */
const DAYS_READ = Math.max(DAYS + 1, ...CONTEXT_DAYS);
const TIERS = [
  [70, "Elite"],
  [50, "Sharp"],
  [35, "Solid"],
] as const;

/** Places to which a score is shown, so that its tier agrees with it. */
const SCORE_PLACES = 3;

function tierOf(score: number): string {
  const shown = roundedReal(score, SCORE_PLACES);
  return TIERS.find(([least]) => shown >= least)?.[1] ?? "Emerging";
}

/** Dataset 584 from two boards in memory and days by key; the order is that of its query. */
export const servedScoreLeaderboard: Omit<ServedKeyed, "order"> = {
  types: { total_trades_15d: "Int64" },
  tables: [servedWalletDays],
  search: async (
    p: Requested,
    { now, board: read, statement, after, depth, offset, read: engine }: KeyedAsking,
  ): Promise<KeyedSearch> => {
    const asOf = dayNumber(p["as_of"], now);
    const [pool, board] = await Promise.all([
      read(scoreBoard(asOf, p["category"])),
      read(walletBoard(DAYS, asOf, sortOf(p["sort_by"]) === "sharpe")),
    ]);
    const scores = placedScores(pool, p["weights"]?.value as readonly number[] | undefined);
    const entries = entriesAfter(entriesOf(p, { scores, board }), after, depth).map((entry): Shown =>
      Object.assign({}, entry, { sums: board.row(entry.wallet) ?? IDLE }),
    );
    const active = entries.map(({ sums }) => sums).filter((sums) => sums !== IDLE);
    const marketsOf = await countMarkets({ days: DAYS, asOf: lastDaySql(asOf) }, active, statement);
    const isAnyWithout = entries.some(({ placed }) => placed === undefined);
    const why = isAnyWithout ? await whyNot(asOf, p["category"], statement) : "[]";
    const wallets = entries.slice(offset, depth - 1).flatMap(({ wallet, placed }) => (placed ? [wallet] : []));
    const drawn = await poolBounds({ asOf: lastDaySql(asOf), category: p["category"], wallets }, engine, (requested) =>
      statement<Drawable>(requested, [walletScores]),
    );
    const bounds = new Map(drawn.map((one) => [one.wallet, one]));
    const byKey = new Map(entries.map((entry) => [entry.wallet, entry]));
    return {
      keys: [...byKey.keys()],
      from: Math.max(0, asOf - DAYS_READ + 1) * DAY,
      isPlaced: true,
      rows: (wallet, reader) => {
        const entry = byKey.get(wallet) as Shown;
        const values = () => ({
          ...ofScore(entry, bounds.get(wallet), { isWeighed: p["weights"] !== undefined, why }),
          ...ofWindow(entry, asOf, reader),
          markets_traded_15d: entry.sums === IDLE ? 0 : marketsOf(entry.sums),
        });
        return [{ at: entry.place, values }];
      },
    };
  },
};

/** The reasons for wallets without a score. */
async function whyNot(asOf: number, category: Bound | undefined, statement: KeyedAsking["statement"]): Promise<string> {
  const requested = sql`SELECT toString(${hasPool(lastDaySql(asOf), category)}) AS is_any`;
  const [reported] = await statement<{ is_any: string }>(requested, [walletScores]);
  return JSON.stringify([reported?.is_any === "1" ? "insufficient_sample" : "no_pool"]);
}

/** With custom weights a score has no bounds; its reasons are those of the score as computed with its own weights. */
function ofScore(
  { wallet, placed }: Shown,
  drawn: Drawn | undefined,
  { isWeighed, why }: { readonly isWeighed: boolean; readonly why: string },
): Record<string, MadeValue> {
  const shown = isWeighed ? undefined : drawn;
  return {
    wallet,
    leaderboard_rank: placed?.place ?? null,
    tier: placed ? tierOf(placed.score) : null,
    h_score: decimalOfReal(placed?.score ?? null),
    score_low: decimalOfReal(shown?.low ?? null),
    score_high: decimalOfReal(shown?.high ?? null),
    reasons: placed ? withWide(placed.row.reasons, drawn?.isWide === true) : why,
  };
}

/** Adds WIDE_INTERVAL to a JSON list of reasons where it applies. */
const withWide = (reasons: string, isWide: boolean): string =>
  isWide ? JSON.stringify([...(JSON.parse(reasons) as string[]), WIDE_INTERVAL]) : reasons;

function ofWindow({ wallet, sums }: Shown, asOf: number, reader: KeyedReader): Record<string, MadeValue> {
  const span = { first: asOf - DAYS + 1, last: asOf, length: DAYS };
  const { sharpe, probability, trend, context } = detailsOf(wallet, sums === IDLE ? undefined : sums, span, reader);
  return {
    roi_pct_15d: roiPercent(sums),
    win_rate_pct_15d: ratePercent(sums),
    sharpe_ratio_15d: decimalOfReal(sharpe),
    total_trades_15d: sums.trades,
    total_pnl_15d: sums.pnl,
    fees: sums.fees,
    total_volume_15d: sums.invested,
    trajectory: trend,
    sharpe_probability: figure(probability),
    ...Object.fromEntries(CONTEXT_DAYS.map((days, at) => [`pnl_${days}d`, context[at] ?? 0])),
  };
}

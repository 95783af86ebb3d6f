import type { KeyedAsking, KeyedSearch, ReadKey, ServedKeyed } from "../definition/served-keyed.ts";
import type { Bound } from "../definition/sql.ts";
import {
  decimalOfReal,
  figure,
  ofAmounts,
  ofCount,
  ofCounts,
  type Decimal,
} from "../derivations/wallet-figures/amounts.ts";
import { countMarkets, detailsOf, MAX_CONTEXT } from "../derivations/wallet-keyed/shown-details.ts";
import { dayNumber, lastDaySql } from "../definition/timestamp.ts";
import type { BoardSums } from "../derivations/wallet-window/board-columns.ts";
import type { RankedRow, RankedWallets } from "../derivations/wallet-window/ranked-wallets.ts";
import { walletBoard } from "../derivations/wallet-window/wallet-board.ts";
import { lengthOf } from "../derivations/wallet-window/wallet-window.ts";
import { servedWalletDays } from "../tables/served-wallet-days.ts";
import { atLeast, atMost, meetsAll, microsIn, quotientIn, roundedTo, type Keep } from "./board-filters.ts";

type Requested = Readonly<Partial<Record<string, Bound>>>;

const DAY = 86_400;
/** Decimal places to which quotients are shown, so that their filters agree with them. */
const SHOWN_PLACES = 4;

const winRate = ({ wins, losses }: BoardSums): Decimal | null => ofCounts(wins, wins + losses);
const shownRate = (sums: BoardSums): bigint | undefined => roundedTo(SHOWN_PLACES, winRate(sums));
const shownSharpe = ({ sharpe }: BoardSums): bigint | undefined =>
  roundedTo(SHOWN_PLACES, Number.isNaN(sharpe) ? null : decimalOfReal(sharpe));

const FILTERS: Readonly<Record<string, (bound: Bound) => Keep>> = {
  min_total_pnl: (bound) => atLeast(microsIn(bound), ({ pnl }) => pnl),
  max_total_pnl: (bound) => atMost(microsIn(bound), ({ pnl }) => pnl),
  min_win_rate: (bound) => atLeast(quotientIn(bound), shownRate),
  max_win_rate: (bound) => atMost(quotientIn(bound), shownRate),
  min_total_trades: ({ value }) => atLeast(Number(value), ({ trades }) => trades),
  max_total_trades: ({ value }) => atMost(Number(value), ({ trades }) => trades),
  min_sharpe_ratio: (bound) => atLeast(quotientIn(bound), shownSharpe),
  max_sharpe_ratio: (bound) => atMost(quotientIn(bound), shownSharpe),
};

const isByTrades = (requested: Bound | undefined): boolean => requested?.value === "total_trades";
const byRank: ReadKey = { value: (row) => Number(row["rank"]) };

/** The order, as read back from rows. */
export const boardOrder = (requested: Bound | undefined): readonly ReadKey[] =>
  isByTrades(requested) ? [{ value: (row) => Number(row["total_trades"]) }, byRank] : [byRank];

/** The first `depth` rows after a position in the order: the page and the rows before it. */
function placed(p: Requested, board: RankedWallets, after: KeyedAsking["after"], depth: number): RankedRow[] {
  const meets = meetsAll(FILTERS, p);
  const named = p["wallet_address"]?.value as readonly string[] | undefined;
  const [before, most] = [Number(after?.at(-1) ?? 0), after === undefined ? Infinity : Number(after[0])];
  const isPlaced = ({ row, rank }: RankedRow): boolean =>
    isByTrades(p["sort_by"]) ? row.trades < most || (row.trades === most && rank > before) : rank > before;
  if (named === undefined && isByTrades(p["sort_by"])) return board.byTrades({ most, before }, depth, meets);
  if (named === undefined) return board.after(before, depth, meets);
  return [...new Set(named)]
    .flatMap((wallet) => {
      const [row, rank] = [board.row(wallet), board.rankOf(wallet)];
      return row && rank !== undefined && meets(row) && isPlaced({ row, rank }) ? [{ row, rank }] : [];
    })
    .toSorted((a, b) => (isByTrades(p["sort_by"]) ? b.row.trades - a.row.trades : 0) || a.rank - b.rank)
    .slice(0, depth);
}

/** Dataset 579 from a board in memory and days by key; `order` is that of its query. */
export const servedPnlLeaderboard: Omit<ServedKeyed, "order"> = {
  types: { total_trades: "Int64" },
  tables: [servedWalletDays],
  search: async (p: Requested, { now, board: read, statement, after, depth }: KeyedAsking): Promise<KeyedSearch> => {
    const asOf = dayNumber(p["as_of"], now);
    const days = lengthOf(p["leaderboard_period"]);
    const hasReturns = p["min_sharpe_ratio"] !== undefined || p["max_sharpe_ratio"] !== undefined;
    const board = await read(walletBoard(days, asOf, hasReturns));
    const rows = placed(p, board, after, depth);
    const marketsOf = await countMarkets(
      { days, asOf: lastDaySql(asOf) },
      rows.map(({ row }) => row),
      statement,
    );
    const first = days === "all" ? 1 : asOf - days + 1;
    const span = { first, last: asOf, length: asOf - first + 1 };
    const byKey = new Map(rows.map((one) => [one.row.key, one]));
    return {
      keys: [...byKey.keys()],
      from: Math.max(0, Math.min(first - 1, asOf - MAX_CONTEXT + 1)) * DAY,
      isPlaced: true,
      rows: (wallet, reader) => {
        const { row, rank } = byKey.get(wallet) as RankedRow;
        const values = () => {
          const { sharpe, probability } = detailsOf(wallet, row, span, reader);
          return {
            rank,
            address: wallet,
            total_pnl: row.pnl,
            roi: ofAmounts(row.pnl, row.invested),
            win_rate: winRate(row),
            sharpe_ratio: decimalOfReal(sharpe),
            total_invested: row.invested,
            avg_trade_size: ofCount(row.invested, row.trades),
            total_trades: row.trades,
            markets_traded: marketsOf(row),
            sharpe_probability: figure(probability),
            fees: row.fees,
          };
        };
        return [{ at: rank, values }];
      },
    };
  },
};

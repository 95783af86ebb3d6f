import { defineDayDerivation, type ReadRows } from "../../definition/day-derivation.ts";
import { bind, sql, type Bound } from "../../definition/sql.ts";
import type { InsertRow } from "../../definition/table.ts";
import { walletPairDays } from "../../tables/wallet-pair-days.ts";
import { walletPatterns } from "../../tables/wallet-patterns.ts";
import { walletTradeDays } from "../../tables/wallet-trade-days.ts";
import { PATTERN } from "./pattern-constants.ts";
import { countWallets, saidBefore, soloPatterns, tiedPairs } from "./pattern-evidence-sql.ts";
import { type Habits, type PatternState, scoreTies, type TiedPair } from "./score-ties.ts";

/** A wallet as `soloPatterns` tells it. */
type SoloWallet = {
  readonly id: string;
  readonly last_day: string;
  readonly fills: number;
  readonly sets: number;
  readonly quoted: number;
  readonly two_sided: number;
  readonly average_entry: number;
  readonly sure_share: number;
  readonly maker_share: number;
  readonly average_usd: number;
  readonly both_score: number;
  readonly sure_score: number;
  readonly turnover_score: number;
};

const LEAST_SCORE = 0.5;
const round = (value: number): number => Number(value.toFixed(4));

/** Its states. Who quotes both sides all the time turns sets over too: the farmer's score is cut by that of the maker. */
function soloStates(wallet: SoloWallet): PatternState[] {
  const turnover = wallet.turnover_score * (1 - wallet.both_score / 100);
  const farming = Math.max(wallet.sure_score, turnover);
  const shared = { wallet: wallet.id, cluster: [] };
  const farmer: PatternState = {
    ...shared,
    pattern: "farmer",
    score: Number(farming.toFixed(2)),
    n: wallet.fills,
    share: round(wallet.sure_share),
    parts: {
      by_sure_entries: wallet.sure_score >= turnover,
      average_entry: round(wallet.average_entry),
      set_events: wallet.sets,
      maker_share: round(wallet.maker_share),
      average_usd: round(wallet.average_usd),
    },
  };
  const bothSides: PatternState = {
    ...shared,
    pattern: "both_sides",
    score: Number(wallet.both_score.toFixed(2)),
    n: wallet.quoted,
    share: round(wallet.two_sided / Math.max(1, wallet.quoted)),
    parts: { quoted: wallet.quoted, two_sided: wallet.two_sided, maker_share: round(wallet.maker_share) },
  };
  return [farmer, bothSides].filter(({ score }) => score >= LEAST_SCORE);
}

const NOBODY = `0x${"0".repeat(40)}`;
const ROWS_A_BATCH = 10_000;
const IS_CLEAR = 50;
/** Those whose state rests on a day, and those whose zeros take back what was said on one of these. */
const DAYS_TOUCHED = 2 * PATTERN.days - 1;

/** Evidence of 30 days → which wallets show which pattern, as of each day. */
export const walletPatternsFromEvidence = defineDayDerivation({
  name: "wallet-patterns",
  title: "Patterns of wallets",
  from: [walletTradeDays, walletPairDays],
  into: walletPatterns,
  readsEarlierDays: true,
  after: ["wallet-trade-days", "wallet-pair-days"],
  touched: ({ since }) => {
    const days = sql`SELECT DISTINCT day FROM ${walletTradeDays}`;
    if (since === undefined) return days;
    const changed = sql`SELECT day FROM ${walletTradeDays} WHERE version >= ${since} UNION DISTINCT SELECT day FROM ${walletPairDays} WHERE version >= ${since}`;
    return sql`${days} WHERE day IN (SELECT addDays(day, arrayJoin(range(${bind("UInt16", DAYS_TOUCHED)}))) FROM (${changed}))`;
  },
  rows: async function* (day, read) {
    const states = await findStates(day, read);
    const [counted] = await read<{ wallets: number }>(countWallets(day));
    const rows = await toRows(day, states, Math.max(1, Number(counted?.wallets)), read);
    for (let at = 0; at < rows.length; at += ROWS_A_BATCH) yield rows.slice(at, at + ROWS_A_BATCH);
  },
});

type Dated = { readonly state: PatternState; readonly lastDay: string };

/** A pair with what each of the two did in all. */
type PairOfTwo = TiedPair & Of<"a"> & Of<"b">;
type Of<Side extends string> = Readonly<Record<`${Side}_${"fills" | "entries" | "usd"}`, number>> &
  Readonly<Record<`${Side}_last_day`, string>>;

async function findStates(day: Bound, read: ReadRows): Promise<Dated[]> {
  const found = await read<PairOfTwo>(tiedPairs(day));
  const pairs = found.map(toNumbers);
  const habits = new Map(found.flatMap(habitsOfBoth).map((one) => [one.id, one]));
  const tied = scoreTies(pairs, habits).map((state) => ({ state, lastDay: habits.get(state.wallet)?.last_day ?? "" }));
  const solo = (await read<SoloWallet>(soloPatterns(day))).flatMap((one) =>
    soloStates(one).map((state) => ({ state, lastDay: one.last_day })),
  );
  return [...tied, ...solo];
}

/** Rows of those that traded on the day; what was said of them before and does not hold any more gets a score of 0. */
async function toRows(day: Bound, found: readonly Dated[], wallets: number, read: ReadRows): Promise<InsertRow[]> {
  const clear = Map.groupBy(
    found.filter(({ state }) => state.score >= IS_CLEAR),
    ({ state }) => state.pattern,
  );
  const rateOf = (pattern: PatternState["pattern"]): number => (clear.get(pattern)?.length ?? 0) / wallets;
  const now = found.filter(({ lastDay, state }) => lastDay === String(day.value) && state.score > 0);
  const rows = now.map(({ state }) => toRow(state, rateOf(state.pattern)));
  const said = new Set(now.map(({ state }) => `${state.wallet} ${state.pattern}`));
  const before = await read<{ id: string; pattern: PatternState["pattern"] }>(saidBefore(day));
  const over = before.filter(({ id, pattern }) => !said.has(`${id} ${pattern}`));
  const none = { score: 0, cluster: [], n: 0, share: 0, parts: {} };
  return [...rows, ...over.map(({ id, pattern }) => toRow({ wallet: id, pattern, ...none }, rateOf(pattern)))];
}

function toRow({ wallet, pattern, score, cluster, n, share, parts }: PatternState, baseRate: number): InsertRow {
  return {
    wallet,
    pattern,
    score,
    cluster: cluster[0] ?? NOBODY,
    cluster_size: cluster.length,
    n,
    share,
    base_rate: Number(baseRate.toFixed(6)),
    parts: JSON.stringify(parts),
  };
}

const habitsOfBoth = (pair: PairOfTwo): Habits[] => [
  { id: pair.a, fills: pair.a_fills, entries: pair.a_entries, usd: pair.a_usd, last_day: pair.a_last_day },
  { id: pair.b, fills: pair.b_fills, entries: pair.b_entries, usd: pair.b_usd, last_day: pair.b_last_day },
];

function toNumbers(pair: TiedPair): TiedPair {
  return { ...pair, pair_usd: Number(pair.pair_usd), expected: Number(pair.expected) };
}

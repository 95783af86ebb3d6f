import { WINDOW_LENGTHS } from "../../../packages/server/src/derivations/wallet-window/wallet-window.ts";
import type { PeerIds } from "./ids.ts";
import { seededRandom } from "../../vitest/seed.ts";

export const MIX_NAMES = ["trades", "cold", "zipf", "poller", "derived", "boards", "search"] as const;
export type MixName = (typeof MIX_NAMES)[number];

export type Requested = {
  readonly agentId: number;
  readonly params: Readonly<Record<string, string>>;
  readonly limit: number;
};
export type Mix = {
  readonly name: MixName;
  readonly about: string;
  /** Turns begin at 0; the same turn gives the same query on every side. */
  readonly questionAt: (turn: number) => Requested;
  /** For a mix whose every query should be new: queries repeat from this turn on. */
  readonly newUntil?: number;
};

const SEED = 31;
const ZIPF_DRAWS = 200_000;
/** Number of queries drawn from by Zipf. */
const ZIPF_OF = 5_000;
/** Number of wallets queried in full: the peer keeps their figures precomputed. */
const FULL_WALLETS = 100;
const POLLED_WALLETS = 7;

const of = <T>(list: readonly T[], index: number): T => {
  const found = list[index % list.length];
  if (found === undefined) throw new Error("nothing to ask for");
  return found;
};
const trades = (params: Requested["params"]): Requested => ({ agentId: 556, params, limit: 100 });

/** Pages of raw rows, alternating between four kinds, none repeated while the ids last. */
function rawPage({ wallets, conditions, tokens }: PeerIds, turn: number): Requested {
  const index = Math.floor(turn / 4);
  if (turn % 4 === 0) return trades({ proxy_wallet: of(wallets, index) });
  if (turn % 4 === 1) return trades({ condition_id: of(conditions, index) });
  if (turn % 4 === 2) return { agentId: 568, params: { token_id: of(tokens, index) }, limit: 500 };
  const closed = index % 2 === 0 ? "True" : "False";
  return { agentId: 574, params: { closed, min_volume: String(((index * 7919) % 1_000_000) / 1000) }, limit: 50 };
}

/** Frequently repeated queries: boards as of the last day. */
export function boardQuestions({ lastDay }: PeerIds): Requested[] {
  const periods = WINDOW_LENGTHS.map((one) => (one === "all" ? one : `${one}d`));
  return [
    ...periods.map((leaderboard_period) => ({
      agentId: 579,
      params: { leaderboard_period, as_of: lastDay },
      limit: 50,
    })),
    ...["h_score", "pnl"].map((sort_by) => ({
      agentId: 584,
      params: { sort_by, as_of: lastDay, min_pnl_15d: "0", min_total_trades_15d: "20" },
      limit: 50,
    })),
  ];
}

/** All figures of a wallet over the last seven days of the world. */
export const walletQuestions = ({ wallets, lastDay }: PeerIds): Requested[] =>
  wallets
    .slice(0, FULL_WALLETS)
    .map((proxy_wallet) => ({ agentId: 581, params: { proxy_wallet, as_of: lastDay }, limit: 1 }));

/** The query mixes with which the service and its peers are measured. */
export function makeMixes(ids: PeerIds): Mix[] {
  const draws = zipfDraws(SEED, ZIPF_OF, ZIPF_DRAWS);
  const polled = [trades({}), ...ids.wallets.slice(0, POLLED_WALLETS).map((one) => trades({ proxy_wallet: one }))];
  const boards = boardQuestions(ids);
  const full = walletQuestions(ids);
  return [
    {
      name: "trades",
      about: "the newest trades of a wallet and of a market in turn, each asked once",
      questionAt: (turn) => {
        const index = Math.floor(turn / 2);
        return trades(
          turn % 2 === 0 ? { proxy_wallet: of(ids.wallets, index) } : { condition_id: of(ids.conditions, index) },
        );
      },
      newUntil: 2 * Math.min(ids.wallets.length, ids.conditions.length),
    },
    {
      name: "cold",
      about: "raw pages, each asked once",
      questionAt: (turn) => rawPage(ids, turn),
      newUntil: 4 * Math.min(ids.wallets.length, ids.conditions.length, ids.tokens.length),
    },
    {
      name: "zipf",
      about: "the same pages drawn by Zipf",
      questionAt: (turn) => rawPage(ids, draws[turn % ZIPF_DRAWS] ?? 0),
    },
    {
      name: "poller",
      about: "the newest trades, of all and of seven wallets, again and again",
      questionAt: (turn) => of(polled, turn),
    },
    {
      name: "derived",
      about: "days of a wallet, and each fourth time its figures of a week",
      questionAt: (turn) =>
        turn % 4 === 3
          ? of(full, Math.floor(turn / 4))
          : { agentId: 569, params: { wallet: of(ids.wallets, turn) }, limit: 200 },
    },
    {
      name: "boards",
      about: "boards of profit and of scores, again and again",
      questionAt: (turn) => of(boards, turn),
    },
    {
      name: "search",
      newUntil: ids.searches.length,
      about: "markets by two words, each time others",
      questionAt: (turn) => ({ agentId: 574, params: { market_slug: of(ids.searches, turn) }, limit: 50 }),
    },
  ];
}

/** Draws among `items` by a Zipf distribution: the k-th is drawn 1/k as often as the first. */
export function zipfDraws(seed: number, items: number, draws: number): Uint32Array {
  const sums = new Float64Array(items);
  for (let rank = 0, sum = 0; rank < items; rank += 1) {
    sum += 1 / (rank + 1);
    sums[rank] = sum;
  }
  const next = seededRandom(seed);
  const whole = sums[items - 1] ?? 0;
  return Uint32Array.from({ length: draws }, () => firstAbove(sums, next() * whole));
}

/** Index of the first of these ascending numbers that exceeds a value. */
function firstAbove(ascending: Float64Array, value: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

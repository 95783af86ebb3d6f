import type { ChainWorld } from "./chain-contract.ts";
import type {
  Happening,
  Hex,
  Holding,
  MarketResolvedHappening,
  MatchHappening,
  PolymarketEvent,
  PolymarketMarket,
  Tag,
  Wallet,
} from "./contract.ts";
import type { Post } from "./social-contract.ts";
import type { SocialHappening } from "./social-happenings.ts";
import type { OperationHappening, TransferHappening } from "./operation-contract.ts";
import type { IncomeWorld } from "./income-contract.ts";
import type { KalshiEvent, KalshiMarket, KalshiTrade } from "./kalshi-contract.ts";

/** Polymarket as seen by its endpoints. Lists are in order of creation (event and market ids increase). */
export interface PolymarketWorld {
  readonly events: readonly PolymarketEvent[];
  readonly markets: readonly PolymarketMarket[];
  readonly wallets: readonly Wallet[];
  readonly tags: readonly Tag[];
  /** Every match, oldest first; also sorted by block and log index. */
  readonly matches: readonly MatchHappening[];
  /** Splits, merges, conversions and redemptions by wallets, oldest first. */
  readonly operations: readonly OperationHappening[];
  /** Oldest first. */
  readonly resolutions: readonly MarketResolvedHappening[];
  /** Transfers of shares between wallets, oldest first. */
  readonly transfers: readonly TransferHappening[];
  /** By condition id, token id (decimal string), Gamma id or slug. */
  market(key: string): PolymarketMarket | undefined;
  wallet(address: string): Wallet | undefined;
  /** Every token the wallet ever held, including zero balances. */
  holdingsOf(address: string): Holding[];
}

export interface KalshiWorld {
  readonly events: readonly KalshiEvent[];
  readonly markets: readonly KalshiMarket[];
  /** Oldest first. */
  readonly trades: readonly KalshiTrade[];
  market(ticker: string): KalshiMarket | undefined;
  /** Markets settled and trades made before this belong to /historical. */
  cutoff(): number;
}

/** Counts of everything that has happened: the rows of a perfect collector. */
export interface TruthCounts {
  /** Number of legs: one for each OrderFilled log. */
  fills: number;
  matches: number;
  polymarket_events: number;
  polymarket_markets: number;
  resolved_markets: number;
  splits: number;
  merges: number;
  conversions: number;
  redemptions: number;
  transfers: number;
  wallets: number;
  /** Book happenings, counted per token. */
  book_changes: number;
  kalshi_markets: number;
  kalshi_trades: number;
  kalshi_book_changes: number;
  posts: number;
  reactions: number;
  removals: number;
  last_seq: number;
  last_talk_seq: number;
}

/** A latent jump of a market's probability, with its effect. */
export interface JumpTruth {
  ms: number;
  venue: "polymarket" | "kalshi";
  /** Condition id or ticker. */
  market: string;
  before_e4: number;
  after_e4: number;
}

/** Hidden ground truth of a wallet. */
export interface WalletTruth {
  address: Hex;
  style: "informed" | "noise" | "maker" | "farmer" | "sybil" | "wash";
  /** 0 = no information, 1 = knows the latent probability. */
  skill: number;
  /** Ring number, shared by the wallets of a sybil or wash ring. */
  ring: number | null;
  bankroll_micro: number;
  /** Cash received minus cash spent so far, fees included, open positions at 0. */
  cash_pnl_micro: number;
  /** The same, but with open positions: unresolved markets at the latent probability, resolved ones at their payout. */
  marked_pnl_micro: number;
}

/** The world. Everything is synchronous; the state changes only inside `advanceTo`. */
export interface World {
  readonly seed: number;
  /** Start time of the world. */
  readonly start_ms: number;
  /** World time by the clock given to createWorld; the time a server's /time would return. */
  now(): number;
  /** World time up to which the world has been simulated. */
  reached(): number;
  /** Simulates up to `ms` (no effect when already reached). Listeners are called in order of `seq`. */
  advanceTo(ms: number): void;
  /** Returns the function that removes the listener. Book happenings are only created while there is a listener. */
  on(listener: (happening: Happening) => void): () => void;
  readonly polymarket: PolymarketWorld;
  readonly chain: ChainWorld;
  readonly income: IncomeWorld;
  readonly kalshi: KalshiWorld;
  readonly posts: readonly Post[];
  /** All social happenings, oldest first. */
  readonly talk: readonly SocialHappening[];
  truth(): TruthCounts;
  jumps(): readonly JumpTruth[];
  walletTruth(): WalletTruth[];
}

/** Initial counts, all zero. */
export function noCounts(wallets: number): TruthCounts {
  return {
    fills: 0,
    matches: 0,
    polymarket_events: 0,
    polymarket_markets: 0,
    resolved_markets: 0,
    splits: 0,
    merges: 0,
    conversions: 0,
    redemptions: 0,
    transfers: 0,
    wallets,
    book_changes: 0,
    kalshi_markets: 0,
    kalshi_trades: 0,
    kalshi_book_changes: 0,
    posts: 0,
    reactions: 0,
    removals: 0,
    last_seq: 0,
    last_talk_seq: 0,
  };
}

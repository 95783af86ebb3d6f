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

/** Polymarket as its doors see it. Lists are in order of creation (event and market ids rise). */
export interface PolymarketWorld {
  readonly events: readonly PolymarketEvent[];
  readonly markets: readonly PolymarketMarket[];
  readonly wallets: readonly Wallet[];
  readonly tags: readonly Tag[];
  /** Every match, oldest first; also sorted by block and log index. */
  readonly matches: readonly MatchHappening[];
  /** Splits, merges, conversions and redemptions of wallets, oldest first. */
  readonly operations: readonly OperationHappening[];
  /** Oldest first. */
  readonly resolutions: readonly MarketResolvedHappening[];
  /** Shares sent from wallet to wallet, oldest first. */
  readonly transfers: readonly TransferHappening[];
  /** By condition id, token id (decimal string), Gamma id or slug. */
  market(key: string): PolymarketMarket | undefined;
  wallet(address: string): Wallet | undefined;
  /** Every token the wallet ever had, zero balances included. */
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

/** How much of everything has happened: what a perfect collector would hold. */
export interface TruthCounts {
  /** Legs: one for each OrderFilled log. */
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
  /** Book happenings, each token counted. */
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

/** A latent jump of a market's probability, and what it did. */
export interface JumpTruth {
  ms: number;
  venue: "polymarket" | "kalshi";
  /** Condition id or ticker. */
  market: string;
  before_e4: number;
  after_e4: number;
}

/** What nobody outside may see of a wallet. */
export interface WalletTruth {
  address: Hex;
  style: "informed" | "noise" | "maker" | "farmer" | "sybil" | "wash";
  /** 0 = no information, 1 = knows the latent probability. */
  skill: number;
  /** Ring number, shared by the wallets of a sybil or wash ring. */
  ring: number | null;
  bankroll_micro: number;
  /** Cash got minus cash spent so far, fees included, open positions at 0. */
  cash_pnl_micro: number;
  /** The same with open positions of unresolved markets at the latent probability, of resolved ones at their payout. */
  marked_pnl_micro: number;
}

/** The world. Everything is synchronous; nothing moves except inside `advanceTo`. */
export interface World {
  readonly seed: number;
  /** First moment of the world. */
  readonly start_ms: number;
  /** World time by the clock given to createWorld; what a server's /time would say. */
  now(): number;
  /** World time up to which everything has happened. */
  reached(): number;
  /** Lets everything up to `ms` happen (no effect when already reached). Listeners are called in order of `seq`. */
  advanceTo(ms: number): void;
  /** Returns the function that takes the listener away. Book happenings are only made while somebody listens. */
  on(listener: (happening: Happening) => void): () => void;
  readonly polymarket: PolymarketWorld;
  readonly chain: ChainWorld;
  readonly income: IncomeWorld;
  readonly kalshi: KalshiWorld;
  readonly posts: readonly Post[];
  /** Everything that happened where people talk, oldest first. */
  readonly talk: readonly SocialHappening[];
  truth(): TruthCounts;
  jumps(): readonly JumpTruth[];
  walletTruth(): WalletTruth[];
}

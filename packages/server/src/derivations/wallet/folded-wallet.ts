/** Shares or USD in integer millionths, exactly: a number if lossless, else a bigint. */
export type Amount = number | bigint;

/** A UTC day of a wallet on which it was active, or at whose end it had unresolved holdings. */
export type FoldedDay = {
  /** Days since 1970. */
  readonly day: number;
  /** First and last fill of the day, Unix seconds; undefined without one. */
  readonly firstAt: number | undefined;
  readonly lastAt: number | undefined;
  readonly buys: number;
  readonly sells: number;
  readonly makerFills: number;
  /** Splits, merges, conversions, redemptions, transfers and resolutions. */
  readonly otherEvents: number;
  /** Positions (wallet × condition) that ended on the day. */
  readonly wins: number;
  readonly losses: number;
  readonly bought: Amount;
  readonly sold: Amount;
  readonly makerUsd: Amount;
  /** Sum of the squared deviations of the buy fills' notionals, in USD, from their mean. */
  readonly boughtSpread: number;
  readonly fee: Amount;
  readonly realized: Amount;
  readonly realizedFifo: Amount;
  readonly cash: Amount;
  /** Part of the cash: proceeds of shares that were never held. */
  readonly unmatchedUsd: Amount;
  /** Cumulative from the first day on. */
  readonly cashTotal: Amount;
  readonly realizedTotal: Amount;
  readonly feeTotal: Amount;
  /** Holdings at the end of the day, at cost and at the day's last marks. */
  readonly openCost: Amount;
  readonly openValue: Amount;
  readonly isEstimated: boolean;
};

/** One day's activity in one token of a wallet. */
export type FoldedTokenDay = {
  readonly day: number;
  /** Decimal text. */
  readonly token: string;
  /** 0x-hex; empty while the token's market is unknown. */
  readonly condition: string;
  /** Per share at the end of the day, once its condition is resolved. */
  readonly payout: Amount | undefined;
  readonly buys: number;
  readonly sells: number;
  readonly bought: Amount;
  readonly fee: Amount;
  readonly realized: Amount;
  readonly realizedFifo: Amount;
  /** Shares were held when their condition was resolved on that day. */
  readonly isSettled: boolean;
};

/** Positions of a condition that ended on a day. */
export type FoldedEnd = {
  readonly day: number;
  readonly condition: string;
  readonly wins: number;
  readonly losses: number;
  /** Profit of all of them, and of the won ones only. */
  readonly pnl: Amount;
  readonly gained: Amount;
};

/** A token that a wallet ever had, with its state at the end of the fold's last day. */
export type FoldedPosition = Omit<FoldedTokenDay, "day" | "isSettled"> & {
  readonly shares: Amount;
  readonly cost: Amount;
  readonly costFifo: Amount;
  /** First and last event, Unix seconds. */
  readonly openedAt: number;
  readonly lastAt: number;
  readonly sharesBought: Amount;
  readonly sharesSold: Amount;
  readonly sold: Amount;
  /**
   * A fee of a fill is unknown, shares moved between wallets or left without having been held, or the result is the
   * catalogue's.
   */
  readonly isEstimated: boolean;
};

/** A wallet's complete history up to a day, computed from its ledger. */
export type FoldedWallet = {
  /** Each list ordered by day. */
  readonly days: readonly FoldedDay[];
  readonly tokenDays: readonly FoldedTokenDay[];
  readonly ended: readonly FoldedEnd[];
  /** In the order of the tokens' first events. */
  readonly positions: readonly FoldedPosition[];
};

/** A row of dataset 572 or 1102. */
export type BookRow = {
  /** JSON: [{"size","price"}], price descending, the best last. */
  readonly asks: string;
  /** JSON: price ascending, the best last. */
  readonly bids: string;
  readonly timestamp: string;
  readonly condition_id?: string | null;
  readonly best_bid: string | null;
  readonly best_ask: string | null;
  readonly mid: string | null;
  readonly spread: string | null;
  readonly bid_depth_usd: string;
  readonly ask_depth_usd: string;
  readonly sequence: number;
  readonly micro_price: string | null;
  /** 1 is all bids, −1 all asks; null for an empty book. */
  readonly imbalance: string | null;
};

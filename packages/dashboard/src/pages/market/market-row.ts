/** A row of dataset 574. */
export type MarketRow = {
  readonly condition_id: string;
  readonly question: string;
  readonly slug: string;
  readonly event_slug: string;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly closed: boolean;
  readonly closed_date: string | null;
  readonly volume_total: number;
  readonly volume_24h: number;
  readonly liquidity: number;
  readonly side_a_outcome: string;
  readonly side_b_outcome: string;
  readonly side_a_token_id: string;
  readonly side_b_token_id: string;
  readonly side_a_price: number | null;
  readonly side_b_price: number | null;
  readonly winning_outcome: string | null;
  readonly category: string;
  readonly tags: readonly string[];
};

/** A trade as the Data API and RTDS tell it. Decimals as text, time in Unix seconds (block time). */
export type DataTrade = {
  readonly wallet: string;
  readonly side: "BUY" | "SELL";
  readonly token_id: string;
  readonly condition_id: string;
  readonly size: string;
  readonly price: string;
  readonly seconds: number;
  readonly slug: string;
  readonly outcome: string;
  /** 0 or 1; undefined where upstream does not know (it writes 999). */
  readonly outcome_index: number | undefined;
  readonly tx_hash: string;
};

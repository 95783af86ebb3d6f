import type { ChainLog } from "../chain/log-wire.ts";

/** What somebody did with tokens outside the book, as its event and the moves around it tell. Amounts are millionths. */
export type Operation = {
  readonly log: ChainLog;
  readonly kind: "split" | "merge" | "conversion" | "redemption";
  readonly contract: "conditional_tokens" | "neg_risk_adapter";
  /** Whom the event names. */
  readonly stakeholder: string;
  /** Whose tokens and money changed: the stakeholder, or whom an adapter did it for. */
  readonly wallet: string;
  /** Undefined for a conversion, which is of a whole neg-risk market. */
  readonly conditionId: string | undefined;
  readonly marketId: string | undefined;
  readonly indexSet: bigint;
  /** Complete sets, NO shares given of each question, or all shares burnt by a redemption. */
  readonly micro: bigint;
  /** Money to the wallet; negative when it paid. */
  readonly usd: bigint;
  readonly deltas: readonly { readonly tokenId: bigint; readonly micro: bigint }[];
};

import type { ChainHappening } from "./chain.ts";
import { convertDrafts } from "./convert-drafts.ts";
import { creationDrafts, resolutionDrafts } from "./lifecycle-drafts.ts";
import { type LogDraft, moveMany, moveOne } from "./log-draft.ts";
import { matchDrafts } from "./match-drafts.ts";
import { redeemDrafts } from "./redeem-drafts.ts";
import { setDrafts } from "./set-drafts.ts";
import type { TransferHappening } from "../operation-contract.ts";

/** The logs of what a happening does on the chain, in order. */
export function chainDrafts(happening: ChainHappening): LogDraft[] {
  switch (happening.kind) {
    case "match":
      return matchDrafts(happening);
    case "split":
    case "merge": {
      const maker = { holder: happening.wallet, isThroughAdapter: happening.is_through_adapter };
      return setDrafts(happening.market, happening.kind, maker, happening.amount_micro);
    }
    case "convert":
      return convertDrafts(happening);
    case "redeem":
      return redeemDrafts(happening);
    case "transfer":
      return transferDrafts(happening);
    case "market_created":
      return creationDrafts(happening);
    case "market_resolved":
      return resolutionDrafts(happening);
  }
}

/** Both tokens of a market move in one batch, one moves alone. */
function transferDrafts({ market, wallet, to_wallet, amounts_micro }: TransferHappening): LogDraft[] {
  const [yes, no] = amounts_micro;
  const move =
    yes > 0 && no > 0
      ? moveMany(wallet, wallet, to_wallet, market.token_ids, amounts_micro)
      : moveOne(wallet, wallet, to_wallet, market.token_ids[yes > 0 ? 0 : 1], yes + no);
  return [{ ...move, isTelling: true }];
}

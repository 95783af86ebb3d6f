import type { MatchHappening, PolymarketMarket, WalletHappening } from "../../world/contract.ts";
import type { IncomePayment } from "../../world/income-contract.ts";
import type { ConvertHappening } from "../../world/operation-contract.ts";
import type { World } from "../../world/world.ts";
import { averagePrice, tenDigits, tradeLegs } from "./leg-row.ts";

/** One thing a wallet did, in the terms of the activity feed. `usd_micro` of a V2 BUY includes the taker's fee. */
export interface Activity {
  type: "TRADE" | "SPLIT" | "MERGE" | "REDEEM" | "CONVERSION" | IncomePayment["type"];
  wallet: string;
  timestamp: number;
  sequence: number;
  tx_hash: string;
  market: PolymarketMarket | undefined;
  shares_micro: number;
  usd_micro: number;
  price: number;
  token_id: string;
  side: string;
  outcome_index: number;
}

/** The activities of one happening that belong to `wallet` (both legs of a match with itself). */
export function activitiesOf(happening: WalletHappening, wallet: string): Activity[] {
  if (happening.kind === "match") return happening.is_dropped === true ? [] : tradesOf(happening, wallet);
  const place = {
    wallet,
    timestamp: happening.block_ms / 1000,
    sequence: happening.seq * 1000,
    tx_hash: happening.tx_hash,
  };
  const base = { ...place, price: 0, token_id: "", side: "", outcome_index: 999 };
  switch (happening.kind) {
    case "split":
      return [{ ...base, ...whole(happening.amount_micro), type: "SPLIT", market: happening.market }];
    case "merge":
      return [{ ...base, ...whole(happening.amount_micro), type: "MERGE", market: happening.market }];
    case "convert":
      return [{ ...base, ...whole(happening.amount_micro), type: "CONVERSION", market: firstGiven(happening) }];
    case "redeem":
      return [{ ...base, ...whole(happening.payout_micro), type: "REDEEM", market: happening.market }];
  }
}

/** Beyond the sequences of happenings: within a second income comes last. */
const AFTER_HAPPENINGS = 10 ** 15;

/** A credit of the venue: it is of no market. */
export function incomeActivity({ type, wallet, ms, seq, tx_hash, amount_micro }: IncomePayment): Activity {
  const place = { wallet, timestamp: ms / 1000, sequence: AFTER_HAPPENINGS + seq, tx_hash };
  const nothing = { price: 0, token_id: "", side: "", outcome_index: 999, market: undefined };
  return { ...place, ...nothing, ...whole(amount_micro), type };
}

function whole(micro: number): { shares_micro: number; usd_micro: number } {
  return { shares_micro: micro, usd_micro: micro };
}

function tradesOf(match: MatchHappening, wallet: string): Activity[] {
  const own = tradeLegs(match, false).filter(({ leg }) => leg.wallet === wallet);
  return own.map(({ leg, sequence, timestamp }) => ({
    type: "TRADE",
    wallet,
    timestamp,
    sequence,
    tx_hash: match.tx_hash,
    market: match.market,
    shares_micro: leg.shares_micro,
    usd_micro: leg.usd_micro + (leg.side === "BUY" && match.exchange_version === "V2" ? leg.fee_micro : 0),
    price: averagePrice(leg),
    token_id: leg.token_id,
    side: leg.side,
    outcome_index: leg.outcome,
  }));
}

function firstGiven({ event, index_set }: ConvertHappening): PolymarketMarket | undefined {
  return event.markets.find((market) => ((index_set >> market.question_index) & 1) === 1);
}

/** A row of `/v2/activity`. Rows that are not trades have no token, side or outcome, and price 0. */
export function activityRow(world: World, item: Activity): Record<string, unknown> {
  const wallet = world.polymarket.wallet(item.wallet);
  return {
    proxy_wallet: item.wallet,
    timestamp: item.timestamp,
    condition_id: item.market?.condition_id ?? "",
    type: item.type,
    size: item.shares_micro / 1_000_000,
    usdc_size: item.usd_micro / 1_000_000,
    transaction_hash: item.tx_hash,
    price: tenDigits(item.price),
    token_id: item.token_id,
    side: item.side,
    outcome_index: item.outcome_index,
    title: item.market?.question ?? "",
    slug: item.market?.slug ?? "",
    icon: "",
    event_slug: item.market?.event.slug ?? "",
    outcome: item.market?.outcomes[item.outcome_index] ?? "",
    name: wallet?.name ?? "",
    pseudonym: wallet?.pseudonym ?? "",
    bio: "",
    profile_image: "",
    profile_image_optimized: "",
  };
}

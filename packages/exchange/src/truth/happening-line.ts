import type { FillLeg, Happening, MatchHappening, TxPlace } from "../world/contract.ts";
import type { PostHappening } from "../world/social-contract.ts";
import type { SocialHappening } from "../world/social-happenings.ts";

/** Files of truth that hold happenings. */
export const TRUTH_FILES = [
  "fills",
  "operations",
  "lifecycle",
  "book_changes",
  "kalshi_trades",
  "kalshi_book_changes",
  "posts",
  "social_changes",
] as const;

export type TruthFile = (typeof TRUTH_FILES)[number];

function placeOf(place: TxPlace): object {
  const { tx_hash, block_number, tx_index, block_ms } = place;
  return { tx_hash, block_number, tx_index, block_ms };
}

function fillLine(match: MatchHappening, leg: FillLeg): object {
  return {
    seq: match.seq,
    ms: match.ms,
    ...placeOf(match),
    exchange_version: match.exchange_version,
    condition_id: match.market.condition_id,
    ...leg,
  };
}

function operationLine(happening: Extract<Happening, { kind: "split" | "merge" | "convert" | "redeem" }>): object {
  const { kind, seq, ms, wallet, log_index } = happening;
  const common = { kind, seq, ms, ...placeOf(happening), log_index, wallet };
  if (happening.kind === "convert") {
    const { event, index_set, amount_micro, usd_out_micro } = happening;
    const neg_risk_market_id = event.neg_risk_market_id;
    return { ...common, event_id: event.id, neg_risk_market_id, index_set, amount_micro, usd_out_micro };
  }
  const { condition_id } = happening.market;
  if (happening.kind === "redeem") {
    return { ...common, condition_id, amounts_micro: happening.amounts_micro, payout_micro: happening.payout_micro };
  }
  return { ...common, condition_id, amount_micro: happening.amount_micro };
}

function transferLine(happening: Extract<Happening, { kind: "transfer" }>): object {
  const { kind, seq, ms, wallet, to_wallet, amounts_micro, log_index, market } = happening;
  const { condition_id } = market;
  return { kind, seq, ms, ...placeOf(happening), log_index, wallet, condition_id, to_wallet, amounts_micro };
}

function marketLine(happening: Happening & { market: { condition_id: string } }): object {
  const { market, ...rest } = happening;
  return { ...rest, condition_id: market.condition_id };
}

/** A reaction, a removal or the news of an account; the post by its number. */
function socialLine(happening: Exclude<SocialHappening, PostHappening>): object {
  if (happening.kind === "reaction") {
    const { reaction, ...when } = happening;
    const { post, source, type, did, rkey } = reaction;
    return { ...when, source, type, post: post.number, did, rkey };
  }
  if (happening.kind !== "removal") return happening;
  const { removed, ...when } = happening;
  const [what, record] = "post" in removed ? ["post", removed.post] : [removed.reaction.type, removed.reaction];
  const post = "post" in removed ? removed.post.number : removed.reaction.post.number;
  return { ...when, what, source: record.source, post, did: record.did, rkey: record.rkey };
}

/** Where a happening is written, and as which lines; markets and events by their ids. A match is a line a leg. */
export function happeningLines(happening: Happening): { file: TruthFile; lines: object[] } {
  switch (happening.kind) {
    case "match":
      return { file: "fills", lines: [...happening.makers, happening.taker].map((leg) => fillLine(happening, leg)) };
    case "split":
    case "merge":
    case "convert":
    case "redeem":
      return { file: "operations", lines: [operationLine(happening)] };
    case "transfer":
      return { file: "operations", lines: [transferLine(happening)] };
    case "book":
      return { file: "book_changes", lines: [marketLine(happening)] };
    case "market_created":
    case "market_closed":
    case "market_disputed":
    case "market_resolved":
    case "tick_size":
      return { file: "lifecycle", lines: [marketLine(happening)] };
    case "post": {
      const { seq, ms, us } = happening;
      const { parent, root, ...post } = happening.post;
      const family = { parent: parent?.number ?? null, root: root?.number ?? null };
      return { file: "posts", lines: [{ seq, ms, us, ...post, ...family }] };
    }
    case "reaction":
    case "removal":
    case "identity":
    case "account":
      return { file: "social_changes", lines: [socialLine(happening)] };
    case "kalshi_trade":
    case "kalshi_book":
    case "kalshi_lifecycle": {
      const { market, ...rest } = happening;
      const files = {
        kalshi_trade: "kalshi_trades",
        kalshi_book: "kalshi_book_changes",
        kalshi_lifecycle: "lifecycle",
      } as const;
      return { file: files[happening.kind], lines: [{ ...rest, ticker: market.ticker }] };
    }
  }
}

import type { BookHappening, Happening, OutcomeIndex } from "../../world/contract.ts";
import type { Audience } from "./audience.ts";
import {
  bestBidAskFrame,
  bookFrame,
  lastTradeFrame,
  marketResolvedFrame,
  newMarketFrame,
  priceChangeFrame,
  tickSizeFrame,
} from "./market-frames.ts";

const outcomes: readonly OutcomeIndex[] = [0, 1];

/** A listener of the world that tells an audience what happens, in the frames of the market channel. */
export function tellHappenings(audience: Audience): (happening: Happening) => void {
  const tops = new Map<string, string>();
  let first: BookHappening | undefined;

  const tellBook = (changes: readonly BookHappening[]): void => {
    const tokens = changes.map((change) => change.token_id);
    audience.tell(tokens, () => priceChangeFrame(changes));
    for (const change of changes) {
      if (!audience.hears(change.token_id)) continue;
      const top = `${String(change.best_bid_e4)}:${String(change.best_ask_e4)}`;
      if (tops.get(change.token_id) !== top) audience.tellCustom([change.token_id], () => bestBidAskFrame(change));
      tops.set(change.token_id, top);
      if (change.by_trade) audience.tell([change.token_id], () => bookFrame(change.market, change.outcome));
    }
  };

  return (happening) => {
    if (happening.kind === "book") {
      // The two tokens of a market change together and are told in one message: the first waits for the second.
      if (happening.outcome === 0) {
        first = happening;
        return;
      }
      tellBook(first?.market === happening.market ? [first, happening] : [happening]);
      first = undefined;
      return;
    }
    if (first !== undefined) tellBook([first]);
    first = undefined;
    switch (happening.kind) {
      case "match":
        return audience.tell([happening.taker.token_id], () => lastTradeFrame(happening));
      case "tick_size":
        for (const outcome of outcomes)
          audience.tell([happening.market.token_ids[outcome]], () => tickSizeFrame(happening, outcome));
        return;
      case "market_created":
        return audience.broadcast(() => newMarketFrame(happening));
      case "market_resolved":
        for (const token of happening.market.token_ids) tops.delete(token);
        return audience.broadcast(() => marketResolvedFrame(happening));
    }
  };
}

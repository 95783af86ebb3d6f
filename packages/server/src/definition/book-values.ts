import { addMicros, lessMicros } from "./micros.ts";
import type { bookFields } from "./book-columns.ts";
import type { BookRow } from "./book-rows.ts";
import { timesMicros, type BookLevel } from "./book-side.ts";
import type { MadeValue } from "./served-buckets.ts";

type Amount = number | bigint;

const MILLION = 1_000_000n;
const PLACES = 12;
const ONE = 10n ** 12n;

const jsonOf = (levels: readonly BookLevel[]): MadeValue => ({
  printedIn: (format) => {
    const list = `[${levels.map((level) => level.printedIn(format)).join(",")}]`;
    return format === "raw" ? `"${list}"` : list;
  },
});

const worthOf = (levels: readonly BookLevel[]): Amount =>
  levels.reduce<Amount>((sum, level) => addMicros(sum, level.worth), 0);

const parts = (amount: Amount): MadeValue => ({ parts: BigInt(amount), places: PLACES });

/** A book row's fields exactly as `bookSelect` computes them in the engine: quotients are truncated. */
export function bookValues(row: BookRow): Record<keyof ReturnType<typeof bookFields>, MadeValue> {
  const { ms, seq, hash, bids, asks, bid, ask } = row;
  const [bidUsd, askUsd] = [worthOf(bids), worthOf(asks)];
  return {
    asks: jsonOf(asks),
    bids: jsonOf(bids),
    timestamp: { millis: ms },
    best_bid: bid?.price ?? null,
    best_ask: ask?.price ?? null,
    mid: bid && ask ? BigInt(addMicros(bid.price, ask.price)) / 2n : null,
    spread: bid && ask ? lessMicros(ask.price, bid.price) : null,
    bid_depth_usd: parts(bidUsd),
    ask_depth_usd: parts(askUsd),
    hash,
    sequence: seq,
    micro_price: bid && ask ? microPriceOf(bid, ask) : null,
    imbalance: balanceOf(bidUsd, askUsd),
  };
}

function microPriceOf(bid: BookLevel, ask: BookLevel): MadeValue {
  const over = addMicros(timesMicros(bid.price, ask.size), timesMicros(ask.price, bid.size));
  return parts((BigInt(over) * MILLION) / BigInt(addMicros(bid.size, ask.size)));
}

function balanceOf(bidUsd: Amount, askUsd: Amount): MadeValue {
  const both = BigInt(addMicros(bidUsd, askUsd));
  if (both === 0n) return null;
  return parts((BigInt(lessMicros(bidUsd, askUsd)) * ONE) / (both > 1n ? both : 1n));
}

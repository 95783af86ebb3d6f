import { toMicro } from "../exact/to-micro.ts";
import type { Level } from "./book-side.ts";
import type { PriceChange } from "./market-frame-wire.ts";

export type ChangedLevel = Level & { readonly side: "BUY" | "SELL" };

/** What one message changed in one token's book, and what it says of the book after it. */
export type BookChange = {
  readonly asset_id: string;
  readonly ms: number;
  readonly levels: readonly ChangedLevel[];
  readonly hash: string | undefined;
  /** Millionths; null for an empty side (upstream writes 0 and 1); undefined where it is not said. */
  readonly bestBid: number | null | undefined;
  readonly bestAsk: number | null | undefined;
};

const ONE_MICRO = 1_000_000;

/** The changes of a message by token; one message may touch both tokens of a market. Both forms of the message. */
export function changedLevels(message: PriceChange): readonly BookChange[] {
  const ms = message.timestamp;
  if ("changes" in message) {
    const { asset_id, changes: levels, hash } = message;
    return [{ asset_id, ms, levels, hash, bestBid: undefined, bestAsk: undefined }];
  }
  const byAsset = new Map<string, (typeof message.price_changes)[number][]>();
  for (const change of message.price_changes) {
    byAsset.set(change.asset_id, [...(byAsset.get(change.asset_id) ?? []), change]);
  }
  return [...byAsset].map(([asset_id, levels]) => {
    const last = levels.at(-1);
    return { asset_id, ms, levels, hash: last?.hash, bestBid: best(last?.best_bid), bestAsk: best(last?.best_ask) };
  });
}

function best(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  const price = Number(toMicro(text));
  return price <= 0 || price >= ONE_MICRO ? null : price;
}

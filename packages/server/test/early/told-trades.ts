import type { InsertRow } from "../../src/definition/table.ts";
import { fill, hex, tokenId } from "../fixtures/sample-rows.ts";

/** The first second of the trades. */
export const START = 1_790_000_000;

type Change = { readonly seconds?: number; readonly more?: InsertRow };

const leg = (trade: number, place: number, { seconds = 0, more = {} }: Change): InsertRow =>
  fill(place, {
    ts: START + trade + seconds,
    tx_hash: hex(1_000_000 + trade),
    wallet: hex(1 + (trade % 3) + 3 * place, 40),
    token_id: tokenId(trade % 2),
    side: place === 0 ? "SELL" : "BUY",
    shares: String(10 + trade),
    usd: String((10 + trade) / 2),
    ...more,
  });

/** Both legs of a trade as RTDS tells them: a second less than the block's, no block, an id of their own. */
export const told = (trade: number, { seconds = -1, more = {} }: Change = {}): InsertRow[] =>
  [0, 1].map((place) =>
    leg(trade, place, {
      seconds,
      more: {
        order_hash: hex(7_000_000 + ((trade * 7919) % 100_000) * 2 + place),
        role: place === 0 ? "unknown" : "taker",
        match_kind: "unknown",
        fee_usd: "0",
        block_number: 0,
        log_index: 0,
        source: "rtds",
        ...more,
      },
    }),
  );

/** The same as the chain tells it. */
export const read = (trade: number, { seconds = 0, more = {} }: Change = {}): InsertRow[] =>
  [0, 1].map((place) =>
    leg(trade, place, {
      seconds,
      more: {
        order_hash: hex(3_000_000 + ((trade * 104_729) % 100_000) * 2 + place),
        block_number: 500 + trade,
        log_index: place,
        ...more,
      },
    }),
  );

/** What tells a leg, early or read. */
export const legOf = (row: Readonly<Record<string, unknown>>): string =>
  `${String(row["transaction_hash"])} ${String(row["proxy_wallet"])}`;

/** The same of a row to be stored. */
export const legOfStored = (row: InsertRow): string => `${String(row["tx_hash"])} ${String(row["wallet"])}`;

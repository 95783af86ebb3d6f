import { placedRows } from "../definition/placed-rows.ts";
import type { ServedKeyed } from "../definition/served-keyed.ts";
import type { Bound } from "../definition/sql.ts";
import { comparePositions, positionPlaceOf, positionsOf } from "../derivations/wallet-figures/positions-of.ts";
import { foldedByKey, MARKED_FROM } from "../derivations/wallet-keyed/folded-by-key.ts";
import { ofTold } from "../derivations/wallet-keyed/told-ledger.ts";
import { dayNumber } from "../definition/as-of-day.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { setOf } from "./set-of.ts";

type Asked = Readonly<Partial<Record<"proxy_wallet" | "status" | "condition_id" | "token_id" | "as_of", Bound>>>;

/** Dataset 1001 of wallets' ledgers by key, folded when it is asked; `order` is that of its query. */
export const servedWalletPositions: Omit<ServedKeyed, "order"> = {
  tables: MARKED_FROM,
  tokens: polymarketTokens,
  search: (p: Asked, { now, after, depth }) => {
    const asOf = dayNumber(p.as_of, now);
    const wallets = setOf(p.proxy_wallet) ?? new Set();
    const asked = {
      status: p.status && String(p.status.value),
      conditions: setOf(p.condition_id),
      tokens: setOf(p.token_id),
    };
    return {
      // Rows of all wallets are in one order: they are found together.
      keys: [[...wallets].join(",")],
      from: 0,
      isPlaced: true,
      rows: (_, reader) => {
        const found = [...wallets].flatMap((wallet) => {
          const folded = foldedByKey({ wallet, asOf }, reader);
          if (folded === undefined) return [];
          const sources = { markOf: folded.markOf, ofToken: ofTold(folded.ledger) };
          return positionsOf(wallet, folded, sources, asked);
        });
        return placedRows(found, { compare: comparePositions, after: after && positionPlaceOf(after), depth });
      },
    };
  },
};

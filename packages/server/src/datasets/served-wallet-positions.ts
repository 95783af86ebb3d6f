import { placedRows } from "../definition/placed-rows.ts";
import type { ServedKeyed } from "../definition/served-keyed.ts";
import type { Bound } from "../definition/sql.ts";
import {
  comparePositions,
  positionPlaceOf,
  positionsOf,
  type PositionRow,
} from "../derivations/wallet-figures/positions-of.ts";
import { foldedByKey, MARKED_FROM } from "../derivations/wallet-keyed/folded-by-key.ts";
import { ofTold } from "../derivations/wallet-keyed/told-ledger.ts";
import { venuePositions } from "../derivations/wallet-keyed/venue-positions.ts";
import { dayNumber } from "../definition/as-of-day.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { setOf } from "./set-of.ts";

type Asked = Readonly<Partial<Record<"proxy_wallet" | "status" | "condition_id" | "token_id" | "as_of", Bound>>>;

/** Dataset 1001 of wallets' ledgers by key, folded when it is asked. */
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
      rows: function* rows(_, reader) {
        const found: PositionRow[][] = [];
        for (const wallet of wallets) {
          const folded = yield* foldedByKey({ wallet, asOf, isMarked: true }, reader);
          if (folded === undefined) continue;
          const venueOf = yield* venuePositions(folded.ledger.rows, folded.resolutions);
          const sources = { markOf: folded.markOf, ofToken: ofTold(folded.ledger), venueOf };
          found.push(positionsOf(wallet, folded, sources, asked));
        }
        yield* placedRows(found.flat(), { compare: comparePositions, after: after && positionPlaceOf(after), depth });
      },
    };
  },
};

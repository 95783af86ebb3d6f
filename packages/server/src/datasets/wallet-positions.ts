import { LEDGER_TABLES } from "./shared-profit.ts";
import { dec, flag, hexId, int, iso, num, text, tokenId } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { choice, condition, day, token, wallet } from "../definition/param-kinds.ts";
import { byField } from "../definition/sorting.ts";
import { tokenDays } from "../tables/token-days.ts";
import { formulaOf } from "./formula-of.ts";
import { dayNumber } from "../definition/timestamp.ts";
import { placedRows } from "../definition/served-keyed.ts";
import {
  comparePositions,
  positionPlaceOf,
  positionsOf,
  type PositionRow,
} from "../derivations/wallet-figures/positions-of.ts";
import { foldedByKey, MARKED_FROM } from "../derivations/wallet-keyed/folded-by-key.ts";
import { ofReported } from "../derivations/wallet-keyed/reported-ledger.ts";
import { venuePositions } from "../derivations/wallet-keyed/venue-positions.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { listOf, setOf } from "./list-of.ts";

const usd = () => dec(6, "USD");

export const walletPositions = defineDataset({
  agentId: 1001,
  name: "wallet-positions",
  title: "Positions of a wallet",
  summary: "A wallet's holding of each outcome token as of any day, at cost and at mark, and its profit.",
  plan: "free",
  params: {
    proxy_wallet: wallet().list().required().describe("Proxy wallet, or a list of them."),
    status: choice("open", "redeemable", "closed")
      .off()
      .default("open")
      .describe("open: held and not resolved; redeemable: held, resolved; closed: nothing is held; ALL for all."),
    condition_id: condition().list().describe("Only these markets."),
    token_id: token().list().describe("Only these outcome tokens."),
    as_of: day().untilToday().describe("Positions at the end of this UTC day; now if omitted."),
  },
  row: {
    proxy_wallet: hexId().describe("Wallet, lower case."),
    token_id: tokenId().describe("Outcome token."),
    condition_id: hexId().describe("Condition; 0x and 64 zeros until the token's market is known."),
    slug: text().maybe("Slug of the market; null until it is known."),
    outcome: text().maybe("Label of the outcome; null until it is known."),
    status: text().describe("open, redeemable (resolved and still held) or closed."),
    shares: dec(6, "shares").describe("Shares held."),
    average_cost: dec(6, "USD per share").maybe("cost / shares; null when nothing is held."),
    cost: usd().describe("Cost of the shares held, by average cost; their payout once resolved."),
    cost_fifo: usd().describe("The same cost by first in, first out."),
    mark: dec(6, "USD per share").maybe(
      "Payout once resolved, else the day's last mid, else the last trade; null without a price.",
    ),
    value: usd().maybe("shares × mark; null without a mark."),
    unrealized_pnl: usd().maybe("value − cost; null without a mark."),
    realized_pnl: usd().describe("Realised by average cost less fees, up to then."),
    realized_pnl_fifo: usd().describe("Realised by first in, first out, less fees."),
    fees: usd().describe("Fees; 0 where unknown: taker fills reported only by the Data API."),
    shares_bought: dec(6, "shares").describe("Shares bought by fills."),
    bought: usd().describe("Notional bought."),
    shares_sold: dec(6, "shares").describe("Shares sold by fills."),
    sold: usd().describe("Notional sold."),
    trades: int().describe("Buy and sell fills."),
    opened_at: iso().describe("First event with this token."),
    last_at: iso().describe("Last event by then."),
    pct_of_value: num("percent").maybe(
      "value / value of all the wallet's holdings; null without a mark, or if that is 0.",
    ),
    avg_entry_price: dec(6, "USD per share").maybe(
      "Average purchase price, before fees, as Polymarket shows it: sales do not change it, and it stays after the position ends. Null if nothing was bought or split, as for shares sent by another wallet.",
    ),
    pnl_polymarket: usd().maybe(
      "Profit as Polymarket shows it, realised and unrealised, before fees; null if shares are held without a mark.",
    ),
    estimated: flag().describe(
      "A fill's fee is unknown (taker fills reported only by the Data API, which omits V1 fees from the shares, so these are too few), shares came from or went to other wallets or left without having been held, or the result is known only from the catalogue.",
    ),
  },
  limit: { default: 100, max: 1000 },
  cost: { each: 0.15 },
  order: "value descending, then token_id ascending, then proxy_wallet ascending",
  tables: [...LEDGER_TABLES, tokenDays],
  venue: "polymarket",
  asOf: "as_of",
  served: {
    tables: MARKED_FROM,
    tokens: polymarketTokens,
    order: [byField("value", "0"), byField("token_id"), byField("proxy_wallet")],
    search: (p, { now, after, depth }) => {
      const asOf = dayNumber(p.as_of, now);
      const wallets = new Set(listOf(p.proxy_wallet));
      const requested = {
        status: p.status && String(p.status.value),
        conditions: setOf(p.condition_id),
        tokens: setOf(p.token_id),
      };
      return {
        // Rows of all wallets share one order, so they are read under a single key.
        keys: [[...wallets].join(",")],
        from: 0,
        isPlaced: true,
        rows: function* rows(_, reader) {
          const found: PositionRow[][] = [];
          for (const address of wallets) {
            const folded = yield* foldedByKey({ wallet: address, asOf, isMarked: true }, reader);
            if (folded === undefined) continue;
            const venueOf = yield* venuePositions(folded.ledger.rows, folded.resolutions);
            const sources = { markOf: folded.markOf, ofToken: ofReported(folded.ledger), venueOf };
            found.push(positionsOf(address, folded, sources, requested));
          }
          yield* placedRows(found.flat(), { compare: comparePositions, after: after && positionPlaceOf(after), depth });
        },
      };
    },
  },
  formula: formulaOf("wallet-positions"),
  notes: [
    "Shares of a resolved market stay redeemable until they are redeemed, losing shares at a value of 0.",
    "realized_pnl, unrealized_pnl and value are ours, net of fees; realized_pnl + fees is gross; pnl_polymarket is the venue's own figure, gross by another rule (guide: profit).",
    "A mark is the last known price, however old; in a thin market it may be far from the price a sale would get.",
    "Each page of today's positions is computed on request: one whose value changes while you page can appear twice or not at all. For stable pages, set as_of to a past day.",
  ],
  related: [1002, 1004, 581],
  guide: "profit",
  examples: [
    { title: "What a wallet holds", params: { proxy_wallet: "<wallet>" } },
    {
      title: "All positions it ever held, as of a day",
      params: { proxy_wallet: "<wallet>", status: "ALL", as_of: "<yesterday>" },
    },
  ],
});

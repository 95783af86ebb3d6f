import fc from "fast-check";
import type { InsertRow, TableDefinition } from "../../src/definition/table.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { polymarketMarkets } from "../../src/tables/polymarket-markets.ts";
import { polymarketPositionChanges } from "../../src/tables/polymarket-position-changes.ts";
import { polymarketResolutions } from "../../src/tables/polymarket-resolutions.ts";
import { polymarketTokens } from "../../src/tables/polymarket-tokens.ts";
import { polymarketTransfers } from "../../src/tables/polymarket-transfers.ts";
import { market as marketRow } from "../fixtures/sample-rows.ts";

/** An event of a wallet: a row and its table. */
export type Event = { readonly table: TableDefinition; readonly row: InsertRow };

export const DAY = 86_400;
export const START = Date.UTC(2026, 10, 1) / 1000;
const hex = (value: number | bigint, bytes: number): string => `0x${value.toString(16).padStart(bytes * 2, "0")}`;
const wallet = (n: number): string => hex(BigInt(n) << 150n, 20);
const condition = (n: number): string => hex(7000 + n, 32);
const token = (market: number, outcome: number): string => String(10n ** 60n + BigInt(market * 2 + outcome));

const kinds = ["fill", "fill", "fill", "fill", "split", "merge", "transfer", "resolution", "closing", "name"] as const;

/** One event on one of the days before `days`; `id` makes it distinct from all before. */
export const eventOf = (id: () => number, days: number): fc.Arbitrary<Event> =>
  fc
    .record({
      kind: fc.constantFrom(...kinds),
      who: fc.integer({ min: 1, max: 6 }),
      market: fc.integer({ min: 1, max: 3 }),
      outcome: fc.integer({ min: 0, max: 1 }),
      second: fc.integer({ min: 0, max: days * DAY - 1 }),
      shares: fc.integer({ min: 1, max: 9 }),
      isSale: fc.boolean(),
    })
    .map((drawn) => toEvent(drawn, id()));

type Drawn = {
  kind: (typeof kinds)[number];
  who: number;
  market: number;
  outcome: number;
  second: number;
  shares: number;
  isSale: boolean;
};

function toEvent({ kind, who, market, outcome, second, shares, isSale }: Drawn, id: number): Event {
  const place = { ts: START + second, tx_hash: hex(id, 32), block_number: 1 + Math.floor(second / 2) };
  if (kind === "name") return { table: polymarketTokens, row: nameOf(market, outcome) };
  if (kind === "closing") return { table: polymarketMarkets, row: closingOf(market, place.ts, outcome, isSale) };
  if (kind === "resolution") {
    const payouts = outcome === 0 ? ["1", "0"] : ["0", "1"];
    const reported = { condition_id: condition(market), oracle: wallet(99), question_id: hex(market, 32) };
    return {
      table: polymarketResolutions,
      row: { ...place, ...reported, log_index: 2, payout_numerators: payouts, payouts },
    };
  }
  if (kind === "transfer") {
    const moved = {
      operator: wallet(who),
      from_wallet: wallet(who),
      to_wallet: wallet((who % 6) + 1),
      token_id: token(market, outcome),
    };
    return { table: polymarketTransfers, row: { ...place, ...moved, log_index: 3, place: 0, shares: String(shares) } };
  }
  if (kind === "fill") {
    const filled = {
      order_hash: hex(id, 32),
      wallet: wallet(who),
      token_id: token(market, outcome),
      side: isSale ? "SELL" : "BUY",
    };
    const money = {
      shares: `${shares}.123457`,
      usd: `${(shares * (3 + outcome)) / 10}`,
      fee_usd: isSale ? "0.01" : "0",
    };
    return {
      table: polymarketFills,
      row: {
        ...place,
        ...filled,
        ...money,
        role: isSale ? "maker" : "taker",
        match_kind: "complementary",
        log_index: 5,
        source: "chain_v2",
      },
    };
  }
  const sign = kind === "split" ? 1 : -1;
  return {
    table: polymarketPositionChanges,
    row: {
      ...place,
      kind,
      wallet: wallet(who),
      stakeholder: wallet(who),
      is_inner: false,
      contract: "conditional_tokens",
      condition_id: condition(market),
      market_id: hex(0, 32),
      index_set: "0",
      amount: String(shares),
      usd_delta: String(-sign * shares),
      token_ids: [token(market, 0), token(market, 1)],
      token_deltas: [String(sign * shares), String(sign * shares)],
      log_index: 7,
    },
  };
}

/** The catalogue's row of a closed market, with its result or (yet, or again) without. */
const closingOf = (market: number, at: number, outcome: number, isFinal: boolean): InsertRow =>
  marketRow(market, {
    condition_id: condition(market),
    side_a_token_id: token(market, 0),
    side_b_token_id: token(market, 1),
    closed: true,
    closed_date: new Date(at * 1000).toISOString(),
    payout_a: isFinal ? String(1 - outcome) : null,
    resolution_status: isFinal ? "resolved" : "disputed",
  });

const nameOf = (market: number, outcome: number): InsertRow => ({
  token_id: token(market, outcome),
  condition_id: condition(market),
  outcome_index: outcome,
  outcome: outcome === 0 ? "Yes" : "No",
  slug: `market-${market}`,
});

/** Names of all tokens, so that every event's market is known in the end. */
export const allNames = (): InsertRow[] => [1, 2, 3].flatMap((market) => [nameOf(market, 0), nameOf(market, 1)]);

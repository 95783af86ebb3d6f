import { addMicros } from "../../definition/micros.ts";
import type { RowWriter } from "../../definition/row-writer.ts";
import type { Legs } from "./legs.ts";
import { cutQuotient, HOUR, type MarketPrices } from "./market-prices.ts";
import type { Outcome } from "./outcomes.ts";

const MICRO = 1e6;
/** Entries count at prices between these. */
const [MIN_PRICE, MAX_PRICE] = [50_000, 950_000];
/** Largest difference between the price after an entry and its own, in either direction. */
const MAX_LATER = 100_000;

/** A wallet's purchases of a token within an hour. */
type Entry = {
  bought: number | bigint;
  paid: number | bigint;
  fee: number | bigint;
  lastBuy: number;
};

/** The figures of a row in the table's order; amounts in millionths. */
const noFigures = () => ({
  shares: 0 as number | bigint,
  bought: 0 as number | bigint,
  entries: 0,
  edge: 0,
  cost: 0 as number | bigint,
  variance: 0,
  clvEntries: 0,
  clv: 0,
  laterEntries: 0,
  later: 0,
  laterEdge: 0,
  laterCost: 0 as number | bigint,
  laterVariance: 0,
});
type Figures = ReturnType<typeof noFigures>;

/** Rows of `wallet_entries` of an outcome: one for each wallet that bought it before the resolution. */
export function writeEntries(row: RowWriter, outcome: Outcome, legs: Legs, prices: MarketPrices): void {
  const { from, to } = legs.runOf(outcome.token);
  const close = prices.close(outcome);
  for (let first = from, next = from; first < to; first = next) {
    const figures = noFigures();
    while (next < to && (next === first || legs.isOfOneWallet(first, next))) {
      const hour = Math.floor(legs.time(next) / HOUR);
      const entry: Entry = { bought: 0, paid: 0, fee: 0, lastBuy: 0 };
      // A wallet's legs are in time order.
      for (const begun = next; next < to && Math.floor(legs.time(next) / HOUR) === hour; next += 1) {
        if (next > begun && !legs.isOfOneWallet(first, next)) break;
        if (legs.isBuy(next) && legs.time(next) <= outcome.resolvedAt) addBuy(entry, figures, legs, next);
      }
      if (entry.lastBuy > 0) addEntry(figures, outcome, entry, close, prices.after(outcome, hour));
    }
    if (figures.shares > 0) writeRow(row, outcome, legs.wallet(first), figures);
  }
}

function addBuy(entry: Entry, figures: Figures, legs: Legs, leg: number): void {
  entry.bought = addMicros(entry.bought, legs.shares(leg));
  entry.paid = addMicros(entry.paid, legs.usd(leg));
  entry.fee = addMicros(entry.fee, legs.fee(leg));
  entry.lastBuy = legs.time(leg);
}

/** Adds an entry at its mean price; `close` and `after` are NaN if there is no such price. */
function addEntry(figures: Figures, outcome: Outcome, entry: Entry, close: number, after: number): void {
  const { bought, paid, fee, lastBuy } = entry;
  figures.shares = addMicros(figures.shares, bought);
  figures.bought = addMicros(figures.bought, paid);
  const price = Number(cutQuotient(paid, MICRO, bought));
  if (price <= MIN_PRICE || price >= MAX_PRICE) return;
  const edge = outcome.payout - price;
  const cost = addMicros(outcome.tick, cutQuotient(fee, MICRO, bought));
  const variance = Math.floor((price * (MICRO - price)) / MICRO);
  figures.entries += 1;
  figures.edge += edge;
  figures.cost = addMicros(figures.cost, cost);
  figures.variance += variance;
  if (lastBuy < outcome.closeAt && !Number.isNaN(close)) {
    figures.clvEntries += 1;
    figures.clv += close - price;
  }
  if (Number.isNaN(after)) return;
  figures.laterEntries += 1;
  figures.later += Math.max(-MAX_LATER, Math.min(MAX_LATER, after - price));
  figures.laterEdge += edge;
  figures.laterCost = addMicros(figures.laterCost, cost);
  figures.laterVariance += variance;
}

/** Writes the columns in the table's order. */
function writeRow(row: RowWriter, outcome: Outcome, wallet: Buffer, figures: Figures): void {
  row.begin();
  row.copy(wallet);
  row.copy(outcome.head);
  row.micro(figures.shares);
  row.micro(figures.bought);
  row.count(figures.entries);
  row.micro(figures.edge);
  row.micro(figures.cost);
  row.micro(figures.variance);
  row.count(figures.clvEntries);
  row.micro(figures.clv);
  row.count(figures.laterEntries);
  row.micro(figures.later);
  row.micro(figures.laterEdge);
  row.micro(figures.laterCost);
  row.micro(figures.laterVariance);
  row.flag(false);
}

import { kalshiOrderBook } from "../../src/datasets/kalshi-order-book.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { polymarketOrderBook } from "../../src/datasets/polymarket-order-book.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { bookEvents } from "../../src/tables/book-events.ts";
import { polymarketTokens } from "../../src/tables/polymarket-tokens.ts";
import { servedBookEvents } from "../../src/tables/served-book-events.ts";
import type { Case } from "./oracle-of.ts";
import { NEW_YEAR, type Draw } from "./random-fills.ts";
import { randomParams, randomRange } from "./random-questions.ts";

type Level = readonly [price: string, size: string];

/** Without a limit of days, since some events are of 1970. */
const { maxDays: _days, ...heldForEver } = servedBookEvents;
const TOKENS = ["7", "8", String(2n ** 256n - 1n)];
const TICKERS = ["KXRAIN-26", "KXRAIN-27", "K"];
/** Many events share a millisecond, others are milliseconds apart: a book has several hundred in all. */
const SPAN_MS = 9_000;
const MAX_EVENTS = thoroughly(400, 150);
const PRICES = ["0", "0.000001", "0.01", "0.1", "0.333333", "0.5", "0.51", "0.999", "1"];
const SIZES = ["0.000001", "1", "12.5", "1234567.891234", "9007199.254741", "999999999.999999"];
const HASHES = ["", "0xab", 'x"y\\ä'];
const DEPTHS = ["1", "2", "5", "10000", "ALL"];

const timestampAt = (ms: number): string => new Date(NEW_YEAR * 1000 + ms).toISOString();
const keyOf = (row: InsertRow): string => bookEvents.key.map((column) => String(row[column])).join(" ");

const tokenRow = (token_id: string): InsertRow => ({
  token_id,
  condition_id: `0x${"0".repeat(64)}`,
  outcome_index: 0,
  outcome: "Yes",
  slug: "x",
});

/** Books of a few instruments: snapshots, subsequent and late changes, some before any snapshot. */
export function orderBooksCase({ below }: Draw): Case {
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const few = <Value>(values: readonly Value[]): Value => values[below(below(values.length) + 1)] as Value;
  const price = (): string => (below(2) === 0 ? pick(PRICES) : (below(100) / 100).toFixed(2));
  const size = (): string => (below(3) === 0 ? pick(SIZES) : (below(1e9) / 10 ** below(7)).toFixed(6));
  const levels = (most: number): Level[] =>
    Array.from({ length: below(most + 1) }, () => [price(), below(3) === 0 ? "0" : size()]);
  const event = (): InsertRow => {
    const isSnapshot = below(12) === 0;
    const isOfKalshi = below(2) === 0;
    return {
      instrument: few(isOfKalshi ? TICKERS : TOKENS),
      ts: below(200) === 0 ? new Date(below(1000)).toISOString() : timestampAt(below(below(SPAN_MS) + 1)),
      seq: below(4) + (below(20) === 0 ? 4_000_000_000 : 0),
      kind: isSnapshot ? "snapshot" : "change",
      venue: isOfKalshi ? "kalshi" : "polymarket",
      bids: levels(isSnapshot ? 12 : 2),
      asks: levels(isSnapshot ? 12 : 2),
      best_bid: null,
      best_ask: null,
      hash: pick(HASHES),
    };
  };
  return {
    dataset: polymarketOrderBook,
    others: [kalshiOrderBook],
    tables: [{ table: bookEvents, served: heldForEver }],
    tokens: polymarketTokens,
    rows: (round) => {
      const events = Array.from({ length: 1 + below(MAX_EVENTS) }, event);
      const books = { table: bookEvents, rows: [...new Map(events.map((row) => [keyOf(row), row])).values()] };
      // The dictionary is reloaded a second after it changed, and meanwhile the engine answers.
      return round === 0 ? [{ table: polymarketTokens, rows: TOKENS.slice(0, 2).map(tokenRow) }, books] : [books];
    },
    question: () => {
      const of = pick([polymarketOrderBook, kalshiOrderBook]);
      const instrument = of === kalshiOrderBook ? { ticker: few([...TICKERS, "KXNONE"]) } : { token_id: few(TOKENS) };
      const { params, chance } = randomParams(below);
      const [from, to] = randomRange(below, SPAN_MS);
      // Requests may name microseconds, which no event has.
      const at = (ms: number): string => timestampAt(ms).replace("Z", pick(["Z", "400Z", "000Z"]));
      chance("depth", 2, () => pick(DEPTHS));
      chance("start_time", 3, () => at(from));
      chance("end_time", 3, () => at(to + 1));
      if (below(5) === 0) params["start_time"] = params["end_time"] = at(to);
      const pagination = { limit: pick([1, 2, 10, 50, 200]), ...(below(4) === 0 ? { offset: below(20) } : {}) };
      return { params: { ...instrument, ...params }, pagination, format: pick(["raw", "typed", "ndjson"]), of };
    },
  };
}

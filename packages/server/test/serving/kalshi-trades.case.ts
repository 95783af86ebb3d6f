import { kalshiTradesDataset } from "../../src/datasets/kalshi-trades.ts";
import { kalshiTrades } from "../../src/tables/kalshi-trades.ts";
import { servedKalshiTrades } from "../../src/tables/served-kalshi-trades.ts";
import type { Case } from "./oracle-of.ts";
import { NEW_YEAR, SPAN_SECONDS, type Draw } from "./random-fills.ts";
import { randomPage, randomParams, randomRange } from "./random-questions.ts";

const TICKERS = ["KXRAIN-26", "KXRAIN-27", "KX:KÖLN-%1", 'KX"Q"\\', "K", "KXBTC15M-26SEP261900-00"];
const IDS = ["", "a", "trade-", "trade-\u{1f600}", "ä", "\uffee", "\u0001", 'x"y\\'];
const COUNTS = ["0", "0.01", "1", "12.5", "9007199254.740993", "1000000", "0.000001"];

const fixed = (micros: number): string => (micros / 1e6).toFixed(6);

/** Trades of a few tickers, several per microsecond, some of them long ago. */
export function kalshiTradesCase({ below }: Draw): Case {
  const pick = (values: readonly string[]): string => values[below(values.length)] as string;
  const timestamp = (): string => {
    const micros = below(40) === 0 ? below(1000) : (NEW_YEAR + below(SPAN_SECONDS)) * 1e6 + below(3) * 499_999;
    return `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1)}${String(micros % 1000).padStart(3, "0")}Z`;
  };
  const price = (): number => below(1_000_001);
  return {
    dataset: kalshiTradesDataset,
    tables: [{ table: kalshiTrades, served: servedKalshiTrades }],
    rows: () => [
      {
        table: kalshiTrades,
        rows: Array.from({ length: 1 + below(300) }, () => {
          const yes = price();
          return {
            created_time: timestamp(),
            trade_id: `${pick(IDS)}${below(5000)}`,
            ticker: TICKERS[below(below(TICKERS.length) + 1)],
            count: pick(COUNTS),
            yes_price: fixed(yes),
            no_price: fixed(below(2) === 0 ? 1_000_000 - yes : price()),
            taker_side: pick(["yes", "no"]),
            is_block_trade: below(9) === 0,
          };
        }),
      },
    ],
    question: () => {
      const { params, chance } = randomParams(below);
      const known = ["KXRAIN-26", "KXRAIN-27", "KX:KÖLN-%1", "K", "KXNONE", "K".repeat(256)];
      chance("ticker", 2, () => Array.from({ length: 1 + below(3) }, () => pick(known)).join(","));
      chance("taker_side", 4, () => pick(["yes", "no"]));
      chance("min_count", 4, () => pick(COUNTS.filter((count) => Number(count) <= 1e9)));
      const [from, to] = randomRange(below, SPAN_SECONDS);
      const at = (seconds: number): string => new Date((NEW_YEAR + seconds) * 1000 + below(3) * 499).toISOString();
      chance("start_time", 3, () => at(from));
      if (params["ticker"] === undefined && params["start_time"] === undefined) params["end_time"] = at(to + 1);
      else chance("end_time", 3, () => at(to + 1));
      return { params, pagination: randomPage(below), format: pick(["raw", "typed", "ndjson"]) };
    },
  };
}

import { join } from "node:path";
import { readLines } from "../../../packages/exchange/src/record/read-lines.ts";
import { kalshiCandlesStream } from "../../../packages/server/src/connectors/kalshi/candles.ts";
import { bind, sql } from "../../../packages/server/src/definition/sql.ts";
import { kalshiCandles } from "../../../packages/server/src/tables/kalshi-candles.ts";
import { answerAll } from "../answer-all.ts";
import { countRows } from "../count-rows.ts";
import type { House } from "../open-house.ts";
import { runTurns } from "../run-turns.ts";
import { countOf, type StreamCount } from "../stream-count.ts";
import { Tally } from "../tally.ts";

const FILE = "kalshi/nba_1m_candles_all.csv.gz";
const DAY_SECONDS = 86_400;
const PAGE_ROWS = 10_000;
/** The connector reads so far back each turn. */
const OVERLAP_SECONDS = 15 * 60;

type Span = { from: number; to: number };

/** One-minute candles of 550 markets, gathered a day a turn by the live walk; `most` markets where a part is enough. */
export async function nbaCandles(house: House, most = Number.POSITIVE_INFINITY): Promise<readonly StreamCount[]> {
  const tally = new Tally();
  const spans = new Map<string, Span>();
  let given = 0;
  for await (const [ticker, end, ...figures] of readCandles(house.dir)) {
    const span = spans.get(ticker) ?? { from: end, to: end };
    if (!spans.has(ticker) && spans.size >= most) continue;
    spans.set(ticker, { from: Math.min(span.from, end), to: Math.max(span.to, end) });
    given += 1;
    tally.add(`${ticker} ${end} ${figures.join(" ")}`, true);
  }
  const [first, last] = [
    Math.min(...Array.from(spans.values(), ({ from }) => from)),
    Math.max(...Array.from(spans.values(), ({ to }) => to)),
  ];
  await runTurns(house, kalshiCandlesStream, {
    startMs: first * 1000,
    everySeconds: DAY_SECONDS,
    turns: Math.ceil((last - first) / DAY_SECONDS) + 2,
    known: (_question, nowMs) => openWithin(spans, nowMs / 1000 - DAY_SECONDS - OVERLAP_SECONDS, nowMs / 1000),
  });
  for (const ticker of spans.keys()) {
    for await (const row of answerAll(house, 1101, { ticker }, PAGE_ROWS)) {
      const { open, high, low, close, volume, end_time } = row;
      const figures = [open, high, low, close, volume].map((figure) => (figure === null ? "" : Number(figure)));
      tally.answer(`${ticker} ${Date.parse(String(end_time)) / 1000} ${figures.join(" ")}`);
    }
  }
  const mine = bind("Array(String)", [...spans.keys()]);
  const stored = await countRows(house, kalshiCandles, sql`ticker IN (${mine})`);
  return [countOf("Kalshi candles of the NBA", tally, { in: given, stored, note: `${spans.size} markets` })];
}

type Figure = number | "";

/** Rows of the file: ticker, end of the minute, open, high, low and close in cents, contracts. */
async function* readCandles(dir: string): AsyncGenerator<[string, number, ...Figure[]], void, void> {
  let isHeader = true;
  for await (const line of readLines(join(dir, FILE))) {
    const [, ticker = "", end, ...figures] = line.split(",");
    if (isHeader) isHeader = false;
    else yield [ticker, Number(end), ...figures.map((text) => (text === "" ? text : Number(text)))];
  }
}

function openWithin(spans: ReadonlyMap<string, Span>, from: number, to: number): string[] {
  return [...spans].filter(([, span]) => span.to >= from && span.from <= to).map(([ticker]) => ticker);
}

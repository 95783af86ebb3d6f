import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { readLines } from "../../../packages/exchange/src/record/read-lines.ts";
import { polymarketMarketsStream } from "../../../packages/server/src/connectors/polymarket/markets.ts";
import { polymarketMarkets } from "../../../packages/server/src/tables/polymarket-markets.ts";
import { answerAll } from "../answer-all.ts";
import { countRows } from "../count-rows.ts";
import type { House } from "../open-house.ts";
import { runTurns } from "../run-turns.ts";
import { countOf, type StreamCount } from "../stream-count.ts";
import { Tally } from "../tally.ts";

const FIVE_MINUTE = "polymarket/btc5m/BTC-5m-markets-2026-06-08.jsonl.gz";
const CAPTURES = [
  "captures/gamma_market.json",
  "captures/gamma_market_closed_binary_accepting_false.json",
  "captures/gamma_market_closed_binary_accepting_true.json",
  "captures/gamma_market_closed_nonbinary_legacy.json",
  "captures/gamma_market_sports_market_map_handicap.json",
  "captures/gamma_market_sports_market_money_line.json",
  "gamma/fleet_market_sample_closed_eth_updown.json",
];

type RawMarket = {
  readonly conditionId: string;
  readonly question: string;
  readonly slug: string;
  readonly closed?: boolean;
  readonly outcomes: string;
  readonly outcomePrices?: string;
  readonly clobTokenIds?: string;
  readonly endDate?: string;
  readonly umaResolutionStatus?: string;
  readonly volume?: string | number;
};

/** 299 raw Gamma markets, 292 of them settled five-minute ones; those with other than two outcomes are left out by design. */
export async function gammaMarkets(house: House): Promise<readonly StreamCount[]> {
  const notices = await runTurns(house, polymarketMarketsStream, { turns: 1 });
  const tally = new Tally();
  const markets = await readRecorded(house.dir);
  const binary = markets.filter((market) => list(market.outcomes).length === 2);
  for (const market of binary) tally.add(keyOf(market), true);
  for await (const row of answerAll(house, 574, { sort_by: "end_date" }, 1000)) tally.answer(answeredKey(row));
  const stored = await countRows(house, polymarketMarkets);
  const left = markets.length - binary.length;
  const noticed = notices.map(({ text }) => text).join("; ") || "not noticed";
  const note = left > 0 ? { note: `${left} of other than two outcomes (${noticed})` } : {};
  return [countOf("Gamma markets", tally, { in: markets.length, stored, ...note })];
}

async function readRecorded(dir: string): Promise<RawMarket[]> {
  const markets: RawMarket[] = [];
  for await (const line of readLines(join(dir, FIVE_MINUTE)))
    markets.push((JSON.parse(line) as { raw: RawMarket }).raw);
  for (const file of CAPTURES) {
    markets.push(JSON.parse(await readFile(join(dir, "polymarket", file), "utf8")) as RawMarket);
  }
  return markets;
}

/** What both say of a market; the winner as the settled prices give it. */
function keyOf(market: RawMarket): string {
  const [outcomes, prices, tokens] = [
    list(market.outcomes),
    list(market.outcomePrices).map(Number),
    list(market.clobTokenIds),
  ];
  // Settled five-minute markets, and one capture, are closed at 1 and 0 without a word of the oracle's.
  const isOpen = market.closed !== true || (market.umaResolutionStatus ?? "resolved") !== "resolved";
  const winner = isOpen ? -1 : prices.indexOf(1);
  return JSON.stringify([
    market.conditionId.toLowerCase(),
    market.question,
    market.slug,
    market.closed ?? false,
    ...outcomes,
    ...tokens,
    Math.round(Number(market.volume ?? 0) * 100),
    secondOf(market.endDate),
    winner < 0 ? null : outcomes[winner],
  ]);
}

function answeredKey(row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([
    row["condition_id"],
    row["question"],
    row["slug"],
    row["closed"],
    row["side_a_outcome"],
    row["side_b_outcome"],
    ...[row["side_a_token_id"], row["side_b_token_id"]].filter((token) => token !== "0"),
    Math.round(Number(row["volume_total"]) * 100),
    secondOf(row["end_date"]),
    row["winning_outcome"],
  ]);
}

function list(text: string | undefined): string[] {
  return JSON.parse(text ?? "[]") as string[];
}

function secondOf(text: unknown): number | null {
  return typeof text === "string" ? Math.floor(Date.parse(text) / 1000) : null;
}

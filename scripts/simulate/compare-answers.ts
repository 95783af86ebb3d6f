import type { World } from "../../packages/exchange/src/world/world.ts";
import type { Ask, Page } from "../verify/ask.ts";

type Question = readonly [agentId: number, params: Readonly<Record<string, string>>];

const LIMIT = 500;
const SOME = 3;
const TRADED = 12;
const MOST_SHOWN = 3;

/** The same questions by the serving index and by the engine: a sentence for each that is answered differently. */
export async function compareAnswers(byIndex: Ask, byEngine: Ask, world: World): Promise<string[]> {
  const differing: string[] = [];
  for (const [agentId, params] of questionsOf(world)) {
    const [one, other] = await Promise.all([byIndex, byEngine].map((ask) => ask(agentId, params, { limit: LIMIT })));
    if (one === undefined || other === undefined || rowsOf(one) === rowsOf(other)) continue;
    differing.push(`${agentId} ${JSON.stringify(params)} by index and by engine: ${differenceOf(one, other)}`);
  }
  return differing.slice(0, MOST_SHOWN);
}

const rowsOf = ({ rows, hasMore }: Page): string => JSON.stringify([rows, hasMore]);

function differenceOf(one: Page, other: Page): string {
  const place = one.rows.findIndex((row, index) => JSON.stringify(row) !== JSON.stringify(other.rows[index]));
  const at = place === -1 ? one.rows.length : place;
  const [mine, its] = [one, other].map(({ rows }) => JSON.stringify(rows[at]));
  return `${one.rows.length} and ${other.rows.length} rows; row ${at} is ${mine} and ${its}`;
}

function questionsOf(world: World): Question[] {
  const { polymarket, kalshi } = world;
  const tokens = polymarket.markets.slice(0, SOME).map(({ token_ids }) => token_ids[0]);
  const traded = [...new Set(polymarket.matches.map(({ taker }) => taker.token_id).toReversed())].slice(0, TRADED);
  const wallets = [...new Set(polymarket.matches.slice(-SOME).map(({ taker }) => taker.wallet))];
  const tickers = kalshi.markets.slice(0, SOME).map(({ ticker }) => ticker);
  return [
    [556, {}],
    [573, { start_time: "2020-01-01" }],
    [1104, {}],
    [1105, {}],
    [1106, {}],
    [574, {}],
    [565, {}],
    ...wallets.map((proxy_wallet): Question => [556, { proxy_wallet }]),
    ...traded.map((token_id): Question => [568, { token_id, interval: "1m", start_time: "2020-01-01" }]),
    ...tokens.map((token_id): Question => [
      572,
      { token_id, start_time: String(world.start_ms), end_time: String(world.reached()) },
    ]),
    ...tickers.flatMap((ticker): Question[] => [
      [573, { ticker }],
      [1102, { ticker, start_time: String(world.start_ms), end_time: String(world.reached()) }],
    ]),
  ];
}

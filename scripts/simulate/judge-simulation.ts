import type { Ask as AskHere } from "../../packages/server/src/query/answer.ts";
import type { Ask, Page } from "../verify/ask.ts";
import type { Row } from "../verify/tally.ts";
import { readConfig } from "../../packages/server/src/config.ts";
import type { Indexes } from "../../packages/server/src/main/open-indexes.ts";
import { openAsk } from "../../packages/server/src/main/open-ask.ts";
import { recordsOver } from "../../packages/server/src/records/records.ts";
import { fromDefinition } from "../../packages/server/src/definition/sql.ts";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import { canLookTo, MAX_CALM_MS, MIN_JUMPED_MS } from "../campaign/settle-run.ts";
import { compareRun } from "../campaign/compare-run.ts";
import { Random } from "../campaign/random.ts";
import { readPlaces } from "../campaign/read-places.ts";
import type { RunResult } from "../campaign/run-result.ts";
import type { BookHistory } from "../verify/book-history.ts";
import { findDoubledRows } from "../verify/doubled-rows.ts";
import { fillsOf } from "../verify/fills.ts";
import { compareDerived } from "./compare-derived.ts";
import { compareFolded } from "./compare-folded.ts";
import type { SimPlan } from "./draw-simulation.ts";
import { DERIVED, type Life } from "./life.ts";
import { jumpOn, settleLife } from "./settle-life.ts";
import { aside } from "./sim-machine.ts";
import type { SimScene } from "./sim-scene.ts";
import type { World } from "../../packages/exchange/src/world/world.ts";

const ANYONE = { mayRead: () => true, maxPage: 10_000, mode: "strict" } as const;

/** Runs a comparison's queries directly on the query path, without HTTP, key or socket. */
export const askerOf =
  (ask: AskHere): Ask =>
  async (agent_id, params, pagination) => {
    const answer = await ask({ agent_id, params, pagination }, ANYONE, "raw");
    return {
      rows: JSON.parse(answer.body.toString("utf8")) as Row[],
      hasMore: answer.hasMore,
      cursor: answer.nextCursor,
      coverage: answer.coverage,
    };
  };

type Question = readonly [agentId: number, params: Readonly<Record<string, string>>, limit?: number];

const LIMIT = 500;
/** Page limit of datasets of wallets. */
const OF_WALLETS = 100;
const SOME = 3;
const TRADED = 12;
const MAX_SHOWN = 3;

/** Runs the same queries on the serving index and on the engine: a sentence for each whose answers differ. */
async function compareAnswers(byIndex: Ask, byEngine: Ask, world: World): Promise<string[]> {
  const differing: string[] = [];
  for (const [agentId, params, limit = LIMIT] of questionsOf(world)) {
    const [one, other] = await Promise.all([byIndex, byEngine].map((ask) => ask(agentId, params, { limit })));
    if (one === undefined || other === undefined || rowsOf(one) === rowsOf(other)) continue;
    differing.push(`${agentId} ${JSON.stringify(params)} by index and by engine: ${differenceOf(one, other)}`);
  }
  return differing.slice(0, MAX_SHOWN);
}

const rowsOf = ({ rows, hasMore }: Page): string => JSON.stringify([rows, hasMore]);

function differenceOf(one: Page, other: Page): string {
  const place = one.rows.findIndex((row, index) => JSON.stringify(row) !== JSON.stringify(other.rows[index]));
  const at = place === -1 ? one.rows.length : place;
  const [mine, its] = [one, other].map(({ rows }) => JSON.stringify(rows[at]));
  return `${one.rows.length} and ${other.rows.length} rows; row ${at} is ${mine} and ${its}`;
}

const questionsOfWallet = (wallet: string): Question[] => [
  [569, { wallet }, OF_WALLETS],
  [586, { wallet_address: wallet }, OF_WALLETS],
  [581, { proxy_wallet: wallet }, OF_WALLETS],
  [1001, { proxy_wallet: wallet }, OF_WALLETS],
  [1002, { proxy_wallet: wallet }, OF_WALLETS],
  [1003, { proxy_wallet: wallet }, OF_WALLETS],
];

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
    ...wallets.slice(-1).flatMap(questionsOfWallet),
    [579, { leaderboard_period: "all" }, OF_WALLETS],
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

const BOOKS = 12;
/** Time for messages already sent to arrive. */
const STANDING_MS = 500;

type Judged = Pick<SimScene, "clock" | "exchange" | "database" | "ground"> & {
  readonly life: Life;
  readonly history: BookHistory;
  readonly problems: string[];
  readonly onSettled: () => void;
};

/** Pauses the world, lets the service settle, and compares all its answers with what happened. */
export async function judgeSimulation(plan: SimPlan, run: Judged): Promise<Pick<RunResult, "streams" | "waiting">> {
  const { clock, exchange, life, history, database, problems } = run;
  const { world } = exchange;
  const source = plan.source === "data" ? "data" : "chain";
  const lookedMs = world.reached();
  const calmUntilMs = lookedMs + MAX_CALM_MS;
  if (source === "data") while (!canLookTo(lookedMs, world) && clock.now() < calmUntilMs) await jumpOn(clock);
  exchange.clock.setSpeed(0);
  await clock.runTo(clock.now() + STANDING_MS);
  history.close();
  const store = await openStore({ address: database.address });
  try {
    const config = readConfig({ ALMANAC_DATA_DIR: run.ground.openFolder().folder });
    const db = recordsOver(run.ground.sessions);
    const asking = { store, db, clock, venueNow: clock.now, count: () => undefined };
    const [byIndex, byEngine] = [life.indexes, NO_INDEXES].map((indexes) =>
      askerOf(openAsk(config, { ...asking, indexes })),
    );
    if (byIndex === undefined || byEngine === undefined) throw new Error("nobody answers");
    const places = await aside(() => readPlaces(exchange.urls.control_url));
    const fills = fillsOf(world, source, places.ofMatch);
    const seen = { world, ask: byIndex, store, source } as const;
    const minUntilMs = closedAfter(plan.startMs, clock.now());
    const waiting = await settleLife({ ...seen, fills: fills.length, clock, life, lookedMs, minUntilMs });
    run.onSettled();
    return await aside(async () => {
      const random = new Random(plan.seed + 7_000_000);
      const toMs = world.reached();
      const { hasKalshiKey } = plan;
      const compared = {
        ...seen,
        places,
        fills,
        history,
        toMs,
        random,
        books: BOOKS,
        hasKalshiKey,
        nowMs: clock.now(),
      };
      // The engine's dictionary of tokens lags by real seconds, in which the simulation may have ended.
      await store.run(fromDefinition("SYSTEM RELOAD DICTIONARY polymarket_token_info"));
      const streams = await compareRun(compared);
      problems.push(...(await findDoubledRows(store)));
      problems.push(...(await compareAnswers(byIndex, byEngine, world)));
      problems.push(...(await compareFolded(store, db, clock.now)));
      const all = { from: isoOf(world.start_ms - BEFORE_MS), to: isoOf(clock.now() + DAY_MS) };
      problems.push(...(await compareDerived(DERIVED, store, clock, all)));
      return { streams, waiting };
    });
  } finally {
    await store.close();
  }
}

const DAY_MS = 86_400_000;
/** Backfilled history covers all of the last weeks. */
const BEFORE_MS = 30 * DAY_MS;
const isoOf = (ms: number): string => new Date(ms).toISOString();
/** A day is derived for all wallets ten minutes after its end; this leaves a minute for the work. */
const CLOSES_AFTER_MS = 660_000;

/** When the run's first day is derived for all wallets, if that day ends before the run does; else the start. */
function closedAfter(startMs: number, nowMs: number): number {
  const endMs = startMs - (startMs % DAY_MS) + DAY_MS;
  return endMs < nowMs + MIN_JUMPED_MS ? endMs + CLOSES_AFTER_MS : startMs;
}

const NO_INDEXES: Omit<Indexes, "status" | "renew"> = {
  sources: () => undefined,
  tokenSources: () => undefined,
  lists: () => undefined,
  vocabularies: () => undefined,
  count: () => undefined,
  compared: () => undefined,
  close: () => Promise.resolve(),
};

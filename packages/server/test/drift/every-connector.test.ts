import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDemoKey } from "../../../exchange/src/kalshi/access/api-access.ts";
import { serveKalshi } from "../../../exchange/src/kalshi/serve-kalshi.ts";
import { servePolymarket } from "../../../exchange/src/polymarket/serve-polymarket.ts";
import { serveSocial } from "../../../exchange/src/social/serve-social.ts";
import { createWorld } from "../../../exchange/src/world/create-world.ts";
import { connectors } from "../../src/catalogue.ts";
import type { Call, Host, PullConnector, PullOptions } from "../../src/definition/connector.ts";
import { readPage } from "../../src/definition/read-page.ts";
import { driftingFeed, type Drifted } from "./drifting-feed.ts";

const FROM = Date.UTC(2026, 10, 18);
/** An hour into the next day, so that income of the first day has been paid. */
const NOW = FROM + 86_400_000 + 3_600_000;
const ENOUGH = 4;
const TOKEN = "drifting";
/** Words that occur in most posts. */
const TERMS = ["the", "will", "this", "about", "again"];

let tickers: string[] = [];
let tokens: string[] = [];
let paid: string[] = [];
let addresses: Readonly<Record<string, string>> = {};
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const world = createWorld({
    seed: 11,
    clock: () => NOW,
    from_ms: FROM,
    days: 1,
    events: 10,
    wallets: 150,
    activity: 0.15,
    kalshi_markets: 30,
  });
  const polymarket = await servePolymarket({ world });
  const kalshi = await serveKalshi({ world, host: "127.0.0.1", port: 0, keys: [makeDemoKey()], wall: Date.now });
  const social = await serveSocial({ world, x_bearer_token: TOKEN, wall: Date.now });
  closers.push(
    () => social.close(),
    () => polymarket.close(),
    () => kalshi.close(),
  );
  addresses = {
    HN_URL: social.hn_url,
    GDELT_URL: social.gdelt_url,
    X_URL: social.x_url,
    KALSHI_URL: kalshi.kalshi_url,
    POLYMARKET_GAMMA_URL: polymarket.urls.gamma,
    POLYMARKET_DATA_URL: polymarket.urls.data,
    POLYGON_RPC_URL: polymarket.urls.rpc,
  };
  paid = world.income.all().map(({ wallet }) => `${wallet} 0`);
  tickers = world.kalshi.markets.filter((market) => market.status === "active").map(({ ticker }) => ticker);
  const pages = await ask({ setting: "POLYMARKET_GAMMA_URL" })(
    { path: "/markets/keyset", query: [["closed", "false"]], route: "markets" },
    "GET",
  );
  const { markets } = pages as { markets: { clobTokenIds: string }[] };
  tokens = markets.slice(0, 10).flatMap(({ clobTokenIds }) => JSON.parse(clobTokenIds) as string[]);
});
afterAll(async () => {
  for (const close of closers) await close();
});

function ask({ setting, parse, bearer }: Pick<Host, "setting" | "parse" | "bearer">) {
  return async (call: Call, method: "GET" | "POST"): Promise<unknown> => {
    const query = new URLSearchParams((call.query ?? []).map(([name, value]): [string, string] => [name, value]));
    const body = method === "GET" ? {} : { body: JSON.stringify(call.body) };
    const authorization = bearer === undefined ? {} : { authorization: `Bearer ${TOKEN}` };
    const headers = { "content-type": "application/json", ...authorization };
    const response = await fetch(`${addresses[setting]}${call.path}?${query.toString()}`, { method, headers, ...body });
    if (call.absentOn?.includes(response.status)) return undefined;
    if (!response.ok) throw new Error(`${call.path}: ${response.status} ${await response.text()}`);
    return parse === undefined ? response.json() : parse(await response.text());
  };
}

function optionsOf(connector: PullConnector, drifted: Drifted[]): PullOptions {
  const feedOf = (host: Host) => driftingFeed(ask(host), drifted);
  return {
    feed: feedOf(connector.host),
    also: Object.fromEntries((connector.also ?? []).map((host) => [host.name, feedOf(host)])),
    // Candles are requested from here on; the last hour may have none.
    cursor: connector.name === "kalshi-candles" ? { reached_ts: FROM / 1000 } : undefined,
    now: () => NOW,
    known: async (question) => {
      if (question === "social_terms") return TERMS;
      return question === "income_wallets" ? paid : connector.venue === "kalshi" ? tickers : tokens;
    },
    spendable: async () => 1_000_000,
    signal: new AbortController().signal,
  };
}

/** They compare stored rows, so they request nothing if the store is empty. */
const ASKS_LATER = new Set([
  "kalshi-missing-markets",
  "polymarket-trades-check",
  "polymarket-trades-data-check",
  "kalshi-trades-check",
]);
/** It walks the same pages as hackernews-posts, which can be read again, and compares them with stored rows. */
const SECOND_LOOK = "hackernews-recheck";
/** They receive frames, not pages: ../ingest/listen.test.ts, ../connectors/bluesky/drift.test.ts. */
const LISTENS = new Set(["bluesky-posts"]);
const LEFT_OUT = new Set([...ASKS_LATER, ...LISTENS, SECOND_LOOK]);
const pulled = connectors.filter(
  (connector): connector is PullConnector => connector.kind === "pull" && !LEFT_OUT.has(connector.name),
);

test.each(pulled.map((connector) => [connector.name, connector] as const))(
  "%s continues past a malformed row, and its page can be replayed once the row is valid",
  async (_name, connector) => {
    const drifted: Drifted[] = [];
    let rows = 0;
    for await (const batch of connector.pull(optionsOf(connector, drifted))) {
      for (const part of batch.rows) rows += part.rows.length;
      if (batch.isCaughtUp || (drifted.length >= ENOUGH && rows > 0)) break;
    }
    expect(drifted.length).toBeGreaterThan(0);
    expect(rows).toBeGreaterThan(0);
    for (const { refused } of drifted) expect(refused.length).toBeGreaterThan(0);
    if (connector.replay === undefined) {
      // Its pages have a meaning only together, so missing rows are fetched by another backfill.
      expect(connector.canBackfill).toBe(true);
      return;
    }
    let replayed = 0;
    for (const { path, original } of drifted) {
      const read: Parameters<NonNullable<PullConnector["replay"]>>[0]["read"] = (reply) => {
        const page = readPage(reply, original);
        if (page.kind !== "whole") throw new Error(`${path} cannot be read`);
        return page.data;
      };
      for (const part of connector.replay({ path, read, receivedMs: NOW })) replayed += part.rows.length;
    }
    expect(replayed).toBeGreaterThan(0);
  },
);

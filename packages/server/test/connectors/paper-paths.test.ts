import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { serveExchange, type ServedExchange } from "../../../exchange/src/serve.ts";
import { signHandshake } from "../../src/connectors/kalshi/hosts.ts";

const CONNECTORS = join(import.meta.dirname, "../../src/connectors");
const NOON = Date.UTC(2026, 8, 10, 12);
const HOUR = 3600;

/** Paths and JSON-RPC methods written in the connectors, by venue; `{}` stands for a value. */
function requestedPaths(): string[] {
  const found = globSync("**/*.ts", { cwd: CONNECTORS }).flatMap((file) => {
    const source = readFileSync(join(CONNECTORS, file), "utf8").replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
    // A text that ends in a slash is part of a URL, unless it is declared as a path.
    const texts = [...source.matchAll(/(path: )?(["`])((?:\/|eth_)[^"`\n]*)\2/g)]
      .filter(([, path, , text = ""]) => path !== undefined || !text.endsWith("/"))
      .map(([, , , text = ""]) => text);
    return texts
      .map((text) => text.replaceAll(/\$\{[^}]*\}/g, "{}"))
      .filter((text) => /^(?:\/[\w/{}-]*|eth_\w+)$/.test(text))
      .map((text) => `${dirname(file).split("/")[0]} ${text}`);
  });
  return [...new Set(found)].sort();
}

let exchange: ServedExchange;
beforeAll(async () => {
  exchange = await serveExchange({
    speed: 0,
    days: 1,
    from_ms: NOON - 86_400_000,
    world: { events: 10, wallets: 60, kalshi_markets: 30 },
  });
});
afterAll(() => exchange.close());

type Ask = () => Promise<unknown>;

const seconds = (): number => Math.floor(exchange.world.reached() / 1000);

async function get(url: string, headers: Record<string, string> = {}): Promise<unknown> {
  const reply = await fetch(url, { headers });
  expect(reply.status, url).toBe(200);
  return reply.json();
}

async function post(url: string, body: unknown): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const reply = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  expect(reply.status, url).toBe(200);
  return reply.json();
}

async function rpc(method: string, ...params: unknown[]): Promise<unknown> {
  const answer = await post(exchange.urls.rpc_url, { jsonrpc: "2.0", id: 1, method, params });
  expect(answer).not.toHaveProperty("error");
  return (answer as { result: unknown }).result;
}

/** Returns the first non-empty frame. */
async function frame(url: string, sent: object | undefined, headers: Record<string, string> = {}): Promise<unknown> {
  const socket = new WebSocket(url, { headers });
  try {
    return await new Promise((resolve, reject) => {
      socket.once("open", () => sent && socket.send(JSON.stringify(sent)));
      socket.once("error", reject);
      socket.on("message", (data) => {
        if (String(data) !== "") resolve(JSON.parse(String(data)));
      });
    });
  } finally {
    socket.terminate();
  }
}

const gamma =
  (query: string): Ask =>
  () =>
    get(`${exchange.urls.gamma_url}${query}`);
const data =
  (query: string): Ask =>
  () =>
    get(`${exchange.urls.data_url}${query}`);
const kalshi =
  (query: string): Ask =>
  () =>
    get(`${exchange.urls.kalshi_url}${query}`);
const token = (): string =>
  exchange.world.polymarket.markets.find(({ accepting_orders }) => accepting_orders)?.token_ids[0] ?? "";
const liveTicker = (): string => exchange.world.kalshi.markets.find(({ status }) => status === "active")?.ticker ?? "";
const candleRange = (): string => `start_ts=${seconds() - 24 * HOUR}&end_ts=${seconds()}&period_interval=1`;

/** How each path is requested; an empty answer does not count. */
const asks: Readonly<Record<string, Ask>> = {
  "bluesky /subscribe": () => frame(`${exchange.urls.jetstream_url}?cursor=${seconds() - HOUR}000000`, undefined),
  gdelt: async () => {
    const article = exchange.world.posts.find(({ source, text }) => source === "gdelt" && /[a-z]{6}/i.test(text));
    const word = /[a-z]{6,}/i.exec(article?.text ?? "")?.[0];
    return get(`${exchange.urls.gdelt_url}?query=${word}&mode=artlist&format=json&maxrecords=250&sort=datedesc`);
  },
  "hackernews /search_by_date": () => get(`${exchange.urls.hn_url}/search_by_date?tags=(story,comment)`),
  "kalshi /events": () =>
    get(
      `${exchange.urls.kalshi_url}/events?limit=200&tickers=${exchange.world.kalshi.market(liveTicker())?.event.event_ticker}`,
    ),
  "kalshi /historical/cutoff": kalshi("/historical/cutoff"),
  "kalshi /historical/markets": kalshi("/historical/markets?limit=1000&mve_filter=exclude"),
  "kalshi /historical/markets/{}/candlesticks": async () => {
    const cutoff = exchange.world.kalshi.cutoff();
    const old = exchange.world.kalshi.markets.find(({ settled_ms }) => (settled_ms ?? Infinity) < cutoff);
    return get(`${exchange.urls.kalshi_url}/historical/markets/${old?.ticker}/candlesticks?${candleRange()}`);
  },
  "kalshi /historical/trades": kalshi("/historical/trades?limit=1000"),
  "kalshi /markets": kalshi("/markets?limit=1000&mve_filter=exclude&status=open"),
  "kalshi /markets/candlesticks": () =>
    get(`${exchange.urls.kalshi_url}/markets/candlesticks?market_tickers=${liveTicker()}&${candleRange()}`),
  "kalshi /markets/orderbooks": () => get(`${exchange.urls.kalshi_url}/markets/orderbooks?tickers=${liveTicker()}`),
  "kalshi /markets/trades": kalshi("/markets/trades?limit=1"),
  "kalshi /series/{}/markets/{}/candlesticks": async () => {
    const series = exchange.world.kalshi.market(liveTicker())?.event.series.ticker;
    return get(`${exchange.urls.kalshi_url}/series/${series}/markets/${liveTicker()}/candlesticks?${candleRange()}`);
  },
  "kalshi /trade-api/ws/v2": () => {
    const { kalshi_ws_url, kalshi_key_id: id, kalshi_private_key_pem: pem } = exchange.urls;
    const params = { channels: ["orderbook_delta"], market_tickers: [liveTicker()], use_yes_price: true };
    const headers = signHandshake({ id, pem }, "/trade-api/ws/v2", Date.now());
    return frame(kalshi_ws_url, { id: 1, cmd: "subscribe", params }, headers);
  },
  // RTDS replays nothing, so the world advances until a trade arrives.
  "polymarket /": async () => {
    const received = frame(exchange.urls.rtds_url, {
      action: "subscribe",
      subscriptions: [{ topic: "activity", type: "*" }],
    });
    const until = setInterval(() => {
      exchange.clock.jumpTo(exchange.clock.now() + 60_000);
      exchange.world.advanceTo(exchange.clock.now());
    }, 50);
    return received.finally(() => clearInterval(until));
  },
  "polymarket /books": () => post(`${exchange.urls.clob_url}/books`, [{ token_id: token() }]),
  "polymarket /events/keyset": gamma("/events/keyset?closed=false&order=id&ascending=true&limit=100"),
  "polymarket /markets/keyset": gamma(
    "/markets/keyset?closed=false&order=id&ascending=true&include_tag=true&limit=100",
  ),
  "polymarket /tags": gamma("/tags?limit=100&offset=0&order=id&ascending=true"),
  "polymarket /v2/activity": async () => {
    const [paid] = exchange.world.income.all();
    return get(
      `${exchange.urls.data_url}/v2/activity?user=${paid?.wallet}&type=REWARD,MAKER_REBATE&start=0&limit=1000`,
    );
  },
  "polymarket /v2/trades": data("/v2/trades?taker_only=false&filter_type=TOKENS&filter_amount=0.000001&limit=1000"),
  "polymarket /ws/market": () => frame(exchange.urls.ws_url, { type: "market", assets_ids: [token()], level: 2 }),
  "polymarket eth_blockNumber": () => rpc("eth_blockNumber"),
  "polymarket eth_getBlockByNumber": () => rpc("eth_getBlockByNumber", "0x1", false).then((block) => block ?? "none"),
  "polymarket eth_getLogs": async () =>
    rpc("eth_getLogs", { fromBlock: await rpc("eth_blockNumber") }).then(() => "some"),
  "polymarket eth_getTransactionReceipt": () =>
    rpc("eth_getTransactionReceipt", exchange.world.polymarket.matches[0]?.tx_hash),
  "x /tweets/search/recent": () =>
    get(`${exchange.urls.x_url}/tweets/search/recent?query=market&max_results=10&sort_order=recency`, {
      authorization: `Bearer ${exchange.urls.x_bearer_token}`,
    }),
};

describe("the paths that connectors request from venues", () => {
  it("are all listed here", () => {
    // GDELT's only path is part of its base URL.
    expect(["gdelt", ...requestedPaths()].sort()).toEqual(Object.keys(asks).sort());
  });

  it.each(Object.keys(asks))("%s is answered by the paper exchange with a non-empty answer", async (path) => {
    const answer = await asks[path]?.();
    expect(JSON.stringify(answer).length).toBeGreaterThan(2);
    const lists = Object.values(answer ?? {}).filter((value) => Array.isArray(value));
    if (lists.length > 0) expect(lists.some((list) => list.length > 0)).toBe(true);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveExchange, type ServedExchange } from "../../src/serve.ts";
import { sign } from "./sign.ts";
import { SocketClient, type Frame } from "./socket-client.ts";

type Row = Record<string, unknown>;

let exchange: ServedExchange;

const getJson = async <T>(url: string) => (await (await fetch(url)).json()) as T;
const kalshi = <T>(path: string) => getJson<T>(exchange.urls.kalshi_url + path);
const moveClock = (order: object) =>
  fetch(`${exchange.urls.control_url}/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(order),
  });

/** Every row of a list that is paged by cursor. */
async function walk(path: string, name: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ""; ;) {
    const body = await kalshi<Row>(`${path}${path.includes("?") ? "&" : "?"}limit=1000&cursor=${cursor}`);
    rows.push(...(body[name] as Row[]));
    if (body["cursor"] === "") return rows;
    cursor = String(body["cursor"]);
  }
}

/** Every row of a truth route. */
async function truth(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let since: number | null = 0; since !== null;) {
    const page: { rows: Row[]; next_sequence: number | null } = await getJson(
      `${exchange.urls.control_url}${path}?since_sequence=${since}&limit=5000`,
    );
    rows.push(...page.rows);
    since = page.next_sequence;
  }
  return rows;
}

beforeAll(async () => {
  exchange = await serveExchange({ seed: 7, speed: 0, days: 1, from_ms: Date.UTC(2026, 8, 20) });
});

afterAll(() => exchange.close());

describe("Kalshi in the simulated world", () => {
  it("returns exactly the trades of the truth across both tiers", async () => {
    const expected = await truth("/truth/kalshi-trades");
    expect(expected.length).toBeGreaterThan(1000);
    const live = await walk("/markets/trades", "trades");
    const historical = await walk("/historical/trades", "trades");
    const ids = (rows: Row[]) => rows.map((row) => String(row["trade_id"]));
    expect(new Set(ids(live)).size).toBe(live.length);
    const old = new Set(ids(historical));
    expect(ids(live).some((id) => old.has(id))).toBe(true);
    const union = new Set([...ids(live), ...ids(historical)]);
    expect([...union].sort()).toEqual(ids(expected).sort());
    const counts = await getJson<Row>(`${exchange.urls.control_url}/truth`);
    expect(counts["kalshi_trades"]).toBe(union.size);
  });

  it("returns every market across both tiers, with the volume of its trades", async () => {
    const live = await walk("/markets", "markets");
    const historical = await walk("/historical/markets", "markets");
    const byTicker = new Map([...historical, ...live].map((market) => [String(market["ticker"]), market]));
    expect(byTicker.size).toBe(exchange.world.kalshi.markets.length);
    const traded = new Map<string, number>();
    for (const trade of await truth("/truth/kalshi-trades")) {
      const ticker = String(trade["ticker"]);
      traded.set(ticker, (traded.get(ticker) ?? 0) + Number(trade["count_cc"]));
    }
    for (const [ticker, market] of byTicker) {
      expect([ticker, Math.round(Number(market["volume_fp"]) * 100)]).toEqual([ticker, traded.get(ticker) ?? 0]);
    }
  });

  it("returns candles whose volume equals that of their trades", async () => {
    const market = [...exchange.world.kalshi.markets]
      .filter((item) => item.status === "active")
      .sort((a, b) => b.volume_cc - a.volume_cc)[0];
    const end = Math.floor(exchange.world.reached() / 3_600_000) * 3600;
    const path = `/series/${market?.event.series.ticker}/markets/${market?.ticker}/candlesticks`;
    for (const period of [1, 60]) {
      const query = `start_ts=0&end_ts=${end}&period_interval=${period}`;
      const { candlesticks } = await kalshi<{ candlesticks: Row[] }>(`${path}?${query}`);
      const volume = candlesticks.reduce((sum, candle) => sum + Math.round(Number(candle["volume_fp"]) * 100), 0);
      const trades = (market?.trades() ?? []).filter((trade) => trade.ms <= end * 1000);
      expect(volume).toBe(trades.reduce((sum, trade) => sum + trade.count_cc, 0));
    }
  });

  it("sends deltas that rebuild the same books as REST while the world advances", async () => {
    const { kalshi_ws_url: url, kalshi_key_id: id, kalshi_private_key_pem: pem } = exchange.urls;
    const client = await new SocketClient(url, sign(id, pem)).open();
    const tickers = exchange.world.kalshi.markets.filter((item) => item.status === "active").map((item) => item.ticker);
    client.send({ id: 1, cmd: "subscribe", params: { channels: ["orderbook_delta"], market_tickers: tickers } });
    await client.until(1 + tickers.length);
    await moveClock({ to_ms: exchange.world.reached() + 3_600_000 });
    // The reply arrives after every frame sent until then.
    client.send({ id: 2, cmd: "nothing" });
    await expect.poll(() => client.frames.some((frame) => frame.id === 2)).toBe(true);
    expect(client.frames.filter((frame) => frame.type === "orderbook_delta").length).toBeGreaterThan(50);
    expectGapless(client.frames);
    const books = keepBooks(client.frames);
    for (const ticker of tickers.filter((name) => exchange.world.kalshi.market(name)?.status === "active")) {
      const { orderbooks } = await kalshi<{ orderbooks: { orderbook_fp: Row }[] }>(
        `/markets/orderbooks?tickers=${ticker}`,
      );
      expect([ticker, books.get(ticker)]).toEqual([ticker, normal(orderbooks[0]?.orderbook_fp ?? {})]);
    }
    client.close();
  });
});

/** Expects the sequence numbers of each subscription to rise by one. */
function expectGapless(frames: Frame[]): void {
  const last = new Map<number, number>();
  for (const { sid, seq } of frames) {
    if (sid === undefined || seq === undefined) continue;
    expect([sid, seq]).toEqual([sid, (last.get(sid) ?? 0) + 1]);
    last.set(sid, seq);
  }
}

type Sides = Record<"yes" | "no", Record<string, number>>;

function keepBooks(frames: Frame[]): Map<string, Sides> {
  const books = new Map<string, Sides>();
  for (const { type, msg } of frames) {
    const ticker = String(msg?.["market_ticker"]);
    if (type === "orderbook_snapshot") {
      books.set(ticker, normal({ yes_dollars: msg["yes_dollars_fp"], no_dollars: msg["no_dollars_fp"] }));
    } else if (type === "orderbook_delta") {
      const side = books.get(ticker)?.[msg["side"] as "yes" | "no"] ?? {};
      const price = Number(msg["price_dollars"]).toFixed(4);
      const size = (side[price] ?? 0) + Math.round(Number(msg["delta_fp"]) * 100);
      if (size === 0) delete side[price];
      else side[price] = size;
    }
  }
  return books;
}

function normal(book: Row): Sides {
  return { yes: sizes(book["yes_dollars"]), no: sizes(book["no_dollars"]) };
}

/** Hundredths of a contract by price. */
function sizes(levels: unknown): Record<string, number> {
  const list = (levels ?? []) as string[][];
  return Object.fromEntries(list.map(([price, size]) => [price, Math.round(Number(size) * 100)]));
}

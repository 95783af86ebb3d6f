import { MarketEventSchema } from "@polymarket/bindings/subscriptions";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type BookMessage, bookHash } from "../../src/polymarket/clob/book-message.ts";
import { servePolymarket } from "../../src/polymarket/serve-polymarket.ts";
import type { PolymarketMarket } from "../../src/world/contract.ts";
import type { World } from "../../src/world/world.ts";
import { openPaper, type Paper } from "./paper.ts";

interface Level {
  price: string;
  size: string;
}
interface Frame {
  event_type: string;
  asset_id: string;
  market: string;
  timestamp: string;
  hash: string;
  bids: Level[];
  asks: Level[];
  price_changes: {
    asset_id: string;
    price: string;
    size: string;
    side: "BUY" | "SELL";
    hash: string;
    best_bid: string;
    best_ask: string;
  }[];
  best_bid: string;
  best_ask: string;
}

interface Listener {
  socket: WebSocket;
  /** Received messages: text, or parsed JSON. */
  frames: (string | Frame | Frame[])[];
  events(): Frame[];
  send(message: unknown): void;
}

let paper: Paper;
const sockets: WebSocket[] = [];
beforeAll(async () => {
  paper = await openPaper();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});
afterAll(() => paper.served.close());

async function listen(url = paper.served.urls.ws): Promise<Listener> {
  const socket = new WebSocket(url);
  sockets.push(socket);
  const frames: Listener["frames"] = [];
  socket.on("message", (data) => {
    const text = String(data);
    frames.push(/^[[{]/.test(text) ? (JSON.parse(text) as Frame | Frame[]) : text);
  });
  await new Promise((done, fail) => socket.once("open", done).once("error", fail));
  return {
    socket,
    frames,
    events: () => frames.filter((frame) => typeof frame !== "string").flat(),
    send: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
  };
}

function openMarkets(): PolymarketMarket[] {
  const open = paper.world.polymarket.markets.filter((market) => market.accepting_orders && market.bestBid(0) !== null);
  return open.sort((a, b) => b.matches().length - a.matches().length);
}

/** Lets world time pass in small steps, so that the socket is read in between. */
async function pass(minutes: number): Promise<void> {
  for (let step = 0; step < minutes * 6; step += 1) {
    paper.pass(10_000);
    await new Promise((done) => setImmediate(done));
  }
}

const subscribe = (assets_ids: string[], more = {}) => ({
  assets_ids,
  type: "market",
  initial_dump: true,
  level: 2,
  ...more,
});

describe("subscribing", () => {
  test("returns an array of books", async () => {
    const [one, two] = openMarkets();
    const listener = await listen();
    listener.send(subscribe([one?.token_ids[0] ?? "", two?.token_ids[1] ?? ""]));
    await expect.poll(() => listener.frames.length).toBe(1);
    const [dump] = listener.frames;
    if (!Array.isArray(dump)) throw new Error("the dump is no array");
    expect(dump.map((book) => book.asset_id)).toEqual([one?.token_ids[0], two?.token_ids[1]]);
    for (const book of dump) {
      expect(MarketEventSchema.parse(book)).toMatchObject({ type: "book" });
      expect(book.hash).toMatch(/^[0-9a-f]{40}$/);
      expect(book.timestamp).toMatch(/^\d{13}$/);
    }
  });

  test("returns no initial dump for 501 assets", async () => {
    const tokens = [...openMarkets(), ...paper.world.polymarket.markets].flatMap((market) => market.token_ids);
    const assets = [...new Set(tokens)];
    const some = await listen();
    some.send(subscribe(assets.slice(0, 500)));
    await expect.poll(() => some.frames.length).toBe(1);
    const many = await listen();
    many.send(subscribe(assets.slice(0, 501)));
    many.send("PING");
    await expect.poll(() => many.frames).toEqual(["PONG"]);
  });

  test("answers PING with PONG and an invalid message with INVALID OPERATION", async () => {
    const listener = await listen();
    listener.send("PING");
    listener.send("{}");
    await expect.poll(() => listener.frames).toEqual(["PONG", "INVALID OPERATION"]);
  });

  test("is rejected with 404 on another path", async () => {
    const socket = new WebSocket(paper.served.urls.ws.replace("/ws/market", "/ws/other"));
    await expect(new Promise((done, fail) => socket.once("open", done).once("error", fail))).rejects.toThrow("404");
  });
});

describe("following a market", () => {
  test("delivers valid frames whose changes rebuild the book of REST", async () => {
    const market = openMarkets().find(
      (each) => each.event.series === null && each.end_ms > paper.world.now() + 6 * 3_600_000,
    );
    const token = market?.token_ids[0] ?? "";
    const listener = await listen();
    listener.send(subscribe([token]));
    await expect.poll(() => listener.frames.length).toBe(1);
    await pass(180);
    // A change before a trade cannot be checked: wait until quotes alone have moved the book.
    const isTraded = (): boolean => {
      const last = listener.events().findLast((event) => event.event_type === "price_change");
      return market === undefined || tradesBetween(market, Number(last?.timestamp ?? 0), paper.world.now()) > 0;
    };
    for (let minute = 0; minute < 120 && isTraded(); minute += 1) await pass(1);
    const { body } = await paper.post<Frame[]>("clob", "/books", [{ token_id: token }]);
    const [book] = body;
    await expect.poll(() => lastHash(listener.events(), token)).toBe(book?.hash);
    let checked = 0;
    const sides = { BUY: new Map<string, string>(), SELL: new Map<string, string>() };
    for (const event of listener.events()) {
      MarketEventSchema.parse(event);
      if (event.event_type === "book" && event.asset_id === token) {
        sides.BUY = new Map(event.bids.map((level) => [level.price, level.size]));
        sides.SELL = new Map(event.asks.map((level) => [level.price, level.size]));
      }
      if (event.event_type !== "price_change") continue;
      for (const change of event.price_changes.filter((each) => each.asset_id === token)) {
        if (change.size === "0") sides[change.side].delete(change.price);
        else sides[change.side].set(change.price, change.size);
      }
      const own = event.price_changes.findLast((each) => each.asset_id === token);
      if (own === undefined || market === undefined) continue;
      // The hash of a change is that of the whole book after it.
      const form = {
        ...book,
        timestamp: event.timestamp,
        bids: rising(sides.BUY),
        asks: rising(sides.SELL).toReversed(),
      };
      if (tradesBetween(market, Number(event.timestamp), paper.world.now()) > 0) continue;
      expect(bookHash(form as unknown as BookMessage)).toBe(own.hash);
      checked += 1;
    }
    expect(rising(sides.BUY)).toEqual(book?.bids);
    expect(rising(sides.SELL).toReversed()).toEqual(book?.asks);
    expect(checked).toBeGreaterThan(0);
    const changes = listener.events().filter((event) => event.event_type === "price_change");
    expect(changes.length).toBeGreaterThan(10);
    const both = changes.filter((event) => new Set(event.price_changes.map((change) => change.asset_id)).size === 2);
    expect(both).toHaveLength(changes.length);
  });

  test("delivers one last_trade_price per match, with its transaction, and complete books", async () => {
    const markets = openMarkets().slice(0, 100);
    const listener = await listen();
    listener.send(subscribe(markets.flatMap((market) => market.token_ids)));
    await expect.poll(() => listener.frames.length).toBe(1);
    const since = paper.world.polymarket.matches.length;
    await pass(10);
    const ids = new Set(markets.map((market) => market.condition_id));
    const matches = paper.world.polymarket.matches.slice(since).filter((match) => ids.has(match.market.condition_id));
    expect(matches.length).toBeGreaterThan(3);
    const trades = () =>
      listener.events().filter((event) => event.event_type === "last_trade_price") as unknown as Record<
        string,
        string
      >[];
    await expect.poll(() => trades().length).toBe(matches.length);
    expect(trades().map((trade) => trade["transaction_hash"])).toEqual(matches.map((match) => match.tx_hash));
    for (const [index, trade] of trades().entries()) {
      expect(trade).toMatchObject({
        asset_id: matches[index]?.taker.token_id,
        side: matches[index]?.taker.side,
        timestamp: String(matches[index]?.ms),
      });
      expect(Number(trade["price"])).toBe((matches[index]?.touched_price_e4 ?? 0) / 10_000);
    }
    const books = listener.events().filter((event) => event.event_type === "book");
    expect(books.length).toBeGreaterThan(markets.length * 2);
  });

  test("supports subscribe and unsubscribe while connected", async () => {
    const [one, two] = openMarkets();
    const listener = await listen();
    listener.send(subscribe([one?.token_ids[0] ?? ""]));
    listener.send({ operation: "subscribe", assets_ids: [two?.token_ids[0] ?? ""] });
    await expect
      .poll(() => listener.events().map((event) => event.market))
      .toEqual([one?.condition_id, two?.condition_id]);
    listener.send({ operation: "unsubscribe", assets_ids: [one?.token_ids[0] ?? ""] });
    listener.send("PING");
    await expect.poll(() => listener.frames.at(-1)).toBe("PONG");
    await pass(20);
    const since = listener.events().slice(2);
    expect(since.filter((event) => event.market === one?.condition_id)).toEqual([]);
  });
});

describe("custom features", () => {
  test("send new_market and market_resolved to every opted-in client, best_bid_ask to subscribers", async () => {
    const market = openMarkets().find((each) => each.event.series === null);
    const plain = await listen();
    const custom = await listen();
    plain.send(subscribe([market?.token_ids[0] ?? ""]));
    custom.send(subscribe([market?.token_ids[0] ?? ""], { custom_feature_enabled: true }));
    await expect.poll(() => plain.frames.length + custom.frames.length).toBe(2);
    await pass(40);
    await expect
      .poll(() => [...kinds(custom)].sort())
      .toEqual(expect.arrayContaining(["best_bid_ask", "book", "market_resolved", "new_market", "price_change"]));
    expect([...kinds(plain)].some((kind) => ["best_bid_ask", "market_resolved", "new_market"].includes(kind))).toBe(
      false,
    );
    for (const event of custom.events()) MarketEventSchema.parse(event);
    const tops = custom.events().filter((event) => event.event_type === "best_bid_ask");
    expect(tops.every((top) => top.asset_id === market?.token_ids[0])).toBe(true);
    expect(
      tops.every(
        (top, index) =>
          index === 0 ||
          `${top.best_bid}:${top.best_ask}` !== `${tops[index - 1]?.best_bid}:${tops[index - 1]?.best_ask}`,
      ),
    ).toBe(true);
  });
});

test("a client that does not read is disconnected with code 1013", async () => {
  const strict = await openPaper({ socket: { send_buffer_bytes: 100_000 } });
  const tokens = openMarkets().flatMap((market) => market.token_ids);
  const listener = await listen(strict.served.urls.ws);
  const closed = new Promise<number>((done) => listener.socket.once("close", done));
  listener.socket.pause();
  // Each subscription is answered with all its books: more than the system's own buffers hold.
  for (let requested = 0; requested < 300; requested += 1) listener.send(subscribe(tokens));
  await new Promise((done) => setTimeout(done, 1000));
  listener.socket.resume();
  expect(await closed).toBe(1013);
  await strict.served.close();
});

test("the server listens to the world only while a client is connected", async () => {
  const { world } = paper;
  let listeners = 0;
  const counted: World = Object.assign(Object.create(world) as World, {
    on(listener: Parameters<World["on"]>[0]) {
      const leave = world.on(listener);
      listeners += 1;
      return () => {
        listeners -= 1;
        leave();
      };
    },
  });
  const served = await servePolymarket({ world: counted });
  const one = await listen(served.urls.ws);
  const two = await listen(served.urls.ws);
  await expect.poll(() => listeners).toBe(1);
  one.socket.close();
  two.send("PING");
  await expect.poll(() => two.frames).toEqual(["PONG"]);
  expect(listeners).toBe(1);
  two.socket.close();
  await expect.poll(() => listeners).toBe(0);
  await served.close();
});

function tradesBetween(market: PolymarketMarket, from: number, to: number): number {
  return market.matches().filter((match) => match.ms >= from && match.ms <= to).length;
}

function rising(levels: Map<string, string>): Level[] {
  return [...levels].map(([price, size]) => ({ price, size })).sort((a, b) => Number(a.price) - Number(b.price));
}

function kinds(listener: Listener): Set<string> {
  return new Set(listener.events().map((event) => event.event_type));
}

function lastHash(events: Frame[], token: string): string | undefined {
  for (const event of events.toReversed()) {
    if (event.event_type === "book" && event.asset_id === token) return event.hash;
    const change =
      event.event_type === "price_change" ? event.price_changes.findLast((each) => each.asset_id === token) : undefined;
    if (change !== undefined) return change.hash;
  }
  return undefined;
}

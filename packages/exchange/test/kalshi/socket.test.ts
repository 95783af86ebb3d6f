import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KalshiSession } from "../../src/kalshi/socket/session.ts";
import type { KalshiMarket } from "../../src/world/kalshi-contract.ts";
import { openEndpoint } from "./open-endpoint.ts";
import { sign } from "./sign.ts";
import { NOW, SmallWorld } from "./small-world.ts";
import { SocketClient } from "./socket-client.ts";

let small: SmallWorld;
let endpoint: Awaited<ReturnType<typeof openEndpoint>>;
let a: KalshiMarket;
let b: KalshiMarket;

beforeEach(async () => {
  small = new SmallWorld();
  const event = small.addEvent(small.addSeries("KXBTC"), "KXBTC-A");
  a = small.addMarket(event, "A", {
    book: { yes: [{ price_e4: 800, size_cc: 30_000 }], no: [{ price_e4: 5400, size_cc: 2000 }] },
  });
  b = small.addMarket(event, "B", { book: { yes: [], no: [{ price_e4: 3000, size_cc: 100 }] } });
  endpoint = await openEndpoint(small.world());
});

afterEach(() => endpoint.close());

function connect(kind: "ed25519" | "rsa" = "ed25519") {
  const key = endpoint.keys[kind];
  return new SocketClient(endpoint.kalshi_ws_url, sign(key.key_id, key.private_key_pem)).open();
}

async function refusal(headers: Record<string, string>): Promise<{ status: number; body: string }> {
  const client = new SocketClient(endpoint.kalshi_ws_url, headers);
  client.socket.on("error", () => undefined);
  return new Promise((resolve) => {
    client.socket.once("unexpected-response", (_request, response) => {
      let body = "";
      response.on("data", (chunk) => (body += String(chunk)));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
  });
}

describe("handshake", () => {
  it.each(["ed25519", "rsa"] as const)("accepts a signature by an %s key", async (kind) => {
    const client = await connect(kind);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    client.close();
  });

  it("rejects a missing, wrong or stale signature, and one for another path", async () => {
    const { key_id, private_key_pem } = endpoint.keys.rsa;
    const good = sign(key_id, private_key_pem);
    const bad = [
      {},
      { ...good, "KALSHI-ACCESS-SIGNATURE": good["KALSHI-ACCESS-SIGNATURE"].replace(/^.../, "AAA") },
      { ...good, "KALSHI-ACCESS-KEY": endpoint.keys.ed25519.key_id },
      sign(key_id, private_key_pem, "/trade-api/ws/v2", String(Date.now() - 3_600_000)),
      sign(key_id, private_key_pem, "/trade-api/v2/markets"),
    ];
    for (const headers of bad) {
      expect(await refusal(headers)).toEqual({
        status: 401,
        body: '{"error":{"code":"token_authentication_failure","message":"token authentication failure"}}',
      });
    }
  });
});

describe("orderbook_delta", () => {
  it("sends a snapshot of each market, then signed changes, numbered per subscription", async () => {
    const client = await connect();
    client.send({ id: 1, cmd: "subscribe", params: { channels: ["orderbook_delta"], market_tickers: ["A", "B"] } });
    await client.until(3);
    small.change(a, "yes", 800, -5400);
    small.change(b, "no", 3000, -100);
    const frames = await client.until(5);
    expect(frames[0]).toEqual({ id: 1, type: "subscribed", msg: { channel: "orderbook_delta", sid: 1 } });
    expect(frames[1]).toMatchObject({
      type: "orderbook_snapshot",
      sid: 1,
      seq: 1,
      msg: { market_ticker: "A", yes_dollars_fp: [["0.0800", "300.00"]], no_dollars_fp: [["0.5400", "20.00"]] },
    });
    expect(frames[2]?.msg).not.toHaveProperty("yes_dollars_fp");
    expect(frames[3]).toMatchObject({
      type: "orderbook_delta",
      seq: 3,
      sending_ts_ms: NOW,
      msg: { market_ticker: "A", price_dollars: "0.080", delta_fp: "-54.00", side: "yes", ts_ms: NOW },
    });
    expect(frames[4]).toMatchObject({ seq: 4, msg: { market_ticker: "B", delta_fp: "-1.00", side: "no" } });
    client.close();
  });

  it("prices the NO side on the YES scale if use_yes_price is set", async () => {
    const client = await connect();
    const params = { channels: ["orderbook_delta"], market_tickers: ["B"], use_yes_price: true };
    client.send({ id: 1, cmd: "subscribe", params });
    await client.until(2);
    small.change(b, "no", 3100, 500);
    const frames = await client.until(3);
    expect(frames[1]?.msg["no_dollars_fp"]).toEqual([["0.7000", "1.00"]]);
    expect(frames[2]?.msg["price_dollars"]).toBe("0.690");
    client.close();
  });

  it("adds, removes and resends markets; ok frames have a sequence number too", async () => {
    const client = await connect();
    client.send({ id: 1, cmd: "subscribe", params: { channels: ["orderbook_delta"], market_tickers: ["A"] } });
    await client.until(2);
    const update = (id: number, action: string, ticker: string) =>
      client.send({ id, cmd: "update_subscription", params: { sids: [1], action, market_tickers: [ticker] } });
    update(2, "add_markets", "B");
    await client.until(4);
    update(3, "get_snapshot", "A");
    await client.until(5);
    update(4, "delete_markets", "A");
    await client.until(6);
    small.change(a, "yes", 800, 100);
    update(5, "get_snapshot", "B");
    const frames = await client.until(7);
    expect(frames[2]).toEqual({ id: 2, sid: 1, seq: 2, type: "ok", msg: { market_tickers: ["A", "B"] } });
    expect(frames[3]).toMatchObject({ type: "orderbook_snapshot", seq: 3, msg: { market_ticker: "B" } });
    expect(frames[4]).toMatchObject({ id: 3, type: "orderbook_snapshot", seq: 4, msg: { market_ticker: "A" } });
    expect(frames[5]).toEqual({ id: 4, sid: 1, seq: 5, type: "ok", msg: { market_tickers: ["B"] } });
    expect(frames[6]).toMatchObject({ id: 5, type: "orderbook_snapshot", seq: 6, msg: { market_ticker: "B" } });
    client.close();
  });

  it("adds markets to the existing subscription if the client subscribes again", async () => {
    const client = await connect();
    client.send({ id: 1, cmd: "subscribe", params: { channels: ["orderbook_delta"], market_tickers: ["A"] } });
    client.send({ id: 2, cmd: "subscribe", params: { channels: ["orderbook_delta"], market_tickers: ["A", "B"] } });
    const frames = await client.until(4);
    expect(frames[2]).toEqual({ id: 2, type: "subscribed", msg: { channel: "orderbook_delta", sid: 1 } });
    expect(frames[3]).toMatchObject({ seq: 2, msg: { market_ticker: "B" } });
    client.close();
  });
});

describe("a connection", () => {
  it("listens to the world only while a client is connected", async () => {
    const client = await connect();
    expect(small.listeners).toBe(1);
    client.socket.close();
    await expect.poll(() => small.listeners).toBe(0);
  });

  it("is pinged with a heartbeat", async () => {
    const quick = await openEndpoint(small.world(), { heartbeat_ms: 20 });
    const { key_id, private_key_pem } = quick.keys.ed25519;
    const client = await new SocketClient(quick.kalshi_ws_url, sign(key_id, private_key_pem)).open();
    const body = await new Promise((resolve) => client.socket.once("ping", (data) => resolve(data.toString())));
    expect(body).toBe("heartbeat");
    client.close();
    await quick.close();
  });

  it("loses its subscription with error 25 if the client does not read", () => {
    const sent: string[] = [];
    const outlet = { bufferedAmount: 0, send: (text: string) => void sent.push(text) };
    const session = new KalshiSession({ world: small.world(), overlap_ms: 0 }, outlet);
    session.receive('{"id":1,"cmd":"subscribe","params":{"channels":["orderbook_delta"],"market_tickers":["A"]}}');
    outlet.bufferedAmount = 17 * 1024 * 1024;
    const change = { kind: "kalshi_book", ms: NOW, market: a, side: "yes", price_e4: 800, delta_cc: 100 } as const;
    session.forward({ ...change, seq: 1 });
    session.forward({ ...change, seq: 2 });
    expect(sent.slice(2).map((text) => JSON.parse(text) as unknown)).toEqual([
      { type: "error", sid: 1, msg: { code: 25, msg: "Subscription buffer overflow" } },
    ]);
  });
});

describe("errors", () => {
  it.each([
    ["not json", 1],
    ["[]", 1],
    ['{"id":7,"cmd":"dance"}', 5],
    ['{"id":7,"cmd":"subscribe"}', 2],
    ['{"id":7,"cmd":"subscribe","params":{}}', 3],
    ['{"id":7,"cmd":"subscribe","params":{"channels":[]}}', 3],
    ['{"id":7,"cmd":"subscribe","params":{"channels":["ticker_v2"],"market_tickers":["A"]}}', 8],
    ['{"id":7,"cmd":"subscribe","params":{"channels":["orderbook_delta"]}}', 14],
    ['{"id":7,"cmd":"subscribe","params":{"channels":["orderbook_delta"],"market_tickers":"A"}}', 11],
    ['{"id":7,"cmd":"update_subscription","params":{"sids":[9],"action":"add_markets"}}', 7],
    ['{"id":7,"cmd":"update_subscription","params":{"action":"add_markets"}}', 12],
    ['{"id":7,"cmd":"update_subscription","params":{"sids":[1,2],"action":"add_markets"}}', 12],
    ['{"id":7,"cmd":"update_subscription","params":{"sids":[1]}}', 15],
    ['{"id":7,"cmd":"update_subscription","params":{"sids":[1],"action":"forget_markets"}}', 13],
    ['{"id":7,"cmd":"update_subscription","params":{"sids":[1],"action":"add_markets"}}', 14],
  ])("%s returns error %i", async (text, code) => {
    const client = await connect();
    client.send({ id: 1, cmd: "subscribe", params: { channels: ["orderbook_delta"], market_tickers: ["A"] } });
    await client.until(2);
    client.socket.send(text);
    const frames = await client.until(3);
    expect(frames[2]).toMatchObject({ type: "error", msg: { code } });
    client.close();
  });
});

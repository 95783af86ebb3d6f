import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sign } from "../kalshi/sign.ts";
import { type Line, openLine, type OpenStorm, openStorm } from "./open-storm.ts";

let storm: OpenStorm;
const lines: Line[] = [];
beforeAll(async () => {
  storm = await openStorm();
});
afterEach(async () => {
  for (const line of lines.splice(0)) line.socket.terminate();
  await storm.clear();
});
afterAll(() => storm.exchange.close());

type Frame = Record<string, unknown>;
const urls = () => storm.exchange.urls;
const injected = async () => (await storm.status()).injected;

/** Advances world time, which sends the frames due by then. */
function pass(seconds: number): void {
  const { clock, world } = storm.exchange;
  clock.jumpTo(clock.now() + seconds * 1000);
  world.advanceTo(clock.now());
}

async function openMarkets(): Promise<Line> {
  const line = await openLine(urls().ws_url);
  lines.push(line);
  const open = storm.exchange.world.polymarket.markets.filter((market) => market.accepting_orders);
  const assets_ids = open.slice(0, 200).flatMap((market) => market.token_ids);
  line.socket.send(JSON.stringify({ assets_ids, type: "market", initial_dump: false }));
  line.socket.send("PING");
  await expect.poll(() => line.texts).toEqual(["PONG"]);
  line.texts.length = 0;
  return line;
}

const frames = (line: Line): Frame[] => line.texts.map((text) => JSON.parse(text) as Frame);

/** Returns the messages received on a connection while world time advances. */
async function received(line: Line, seconds: number): Promise<string[]> {
  line.texts.length = 0;
  pass(seconds);
  line.socket.send("PING");
  await expect.poll(() => line.texts.at(-1)).toBe("PONG");
  return line.texts.slice(0, -1);
}

test("freeze keeps a connection open but silent (no frames, PONG or pong) until the fault is cleared", async () => {
  const line = await openMarkets();
  expect((await received(line, 120)).length).toBeGreaterThan(5);
  line.texts.length = 0;
  await storm.set([{ kind: "freeze", endpoint: "ws" }]);
  pass(120);
  line.socket.send("PING");
  line.socket.ping();
  await expect.poll(injected).toEqual({ freeze: { ws: 1 } });
  // A second connection is frozen too; once its handshake is done, the first would have received a reply.
  lines.push(await openLine(urls().ws_url));
  expect([line.texts, line.pongs, line.closed]).toEqual([[], 0, undefined]);
  await storm.clear();
  expect((await received(line, 120)).length).toBeGreaterThan(5);
});

test("freeze with a share affects only some of the connections", async () => {
  const some = [await openMarkets(), await openMarkets(), await openMarkets(), await openMarkets()];
  await storm.set([{ kind: "freeze", endpoint: "ws", share: 0.5 }], 3);
  for (const line of some) line.socket.send("PING");
  const answered = () => some.filter((line) => line.texts.length > 0).length;
  await expect.poll(async () => ((await injected()).freeze?.ws ?? 0) + answered()).toBe(4);
  expect(answered()).toBeGreaterThan(0);
  expect(answered()).toBeLessThan(4);
});

test("cut ends connections, with or without a close frame", async () => {
  const plain = await openMarkets();
  await storm.set([{ kind: "cut", endpoint: "ws" }]);
  await expect.poll(() => plain.closed).toBe(1006);
  const again = await openMarkets();
  expect(await injected()).toEqual({ cut: { ws: 1 } });
  await storm.set([{ kind: "cut", endpoint: "ws", code: 1013 }]);
  await expect.poll(() => again.closed).toBe(1013);
});

test("cut with every_seconds ends new connections again", async () => {
  await storm.set([{ kind: "cut", endpoint: "ws", every_seconds: 0.2 }]);
  for (let turn = 0; turn < 3; turn += 1) {
    const line = await openLine(urls().ws_url);
    lines.push(line);
    await expect.poll(() => line.closed).toBe(1006);
  }
});

test("drop_frames drops the frames of one type, and duplicate_frames sends each frame twice", async () => {
  const [plain, line] = [await openMarkets(), await openMarkets()];
  const both = async (): Promise<[string[], string[]]> => {
    plain.texts.length = 0;
    return [await received(line, 60), plain.texts];
  };
  const [before, same] = await both();
  expect(before).toEqual(same);
  await storm.set([{ kind: "drop_frames", endpoint: "ws", path: "price_change" }]);
  const left = (await received(line, 60)).map((text) => (JSON.parse(text) as Frame)["event_type"]);
  expect(left).not.toContain("price_change");
  expect((await injected()).drop_frames?.ws).toBeGreaterThan(0);
  await storm.set([{ kind: "duplicate_frames", endpoint: "ws" }]);
  const doubled = await received(line, 60);
  expect(doubled.length).toBeGreaterThan(3);
  expect(doubled.every((text, index) => text === doubled[index - (index % 2)])).toBe(true);
});

test("reorder_frames delivers a frame after the one that follows it", async () => {
  const line = await openMarkets();
  await storm.set([{ kind: "reorder_frames", endpoint: "ws", count: 1 }]);
  const texts = await received(line, 60);
  const stamps = texts.map((text) => Number((JSON.parse(text) as Frame)["timestamp"]));
  expect((await injected()).reorder_frames).toEqual({ ws: 1 });
  expect(texts.length).toBeGreaterThan(3);
  expect(stamps[0]).toBeGreaterThanOrEqual(stamps[1] ?? 0);
  const rest = stamps.slice(2);
  expect(rest).toEqual(rest.toSorted((left, right) => left - right));
});

test("corrupt_frame sends invalid JSON, drift retypes a field, and skew shifts the server's clock", async () => {
  const line = await openMarkets();
  await storm.set([{ kind: "corrupt_frame", endpoint: "ws", count: 1 }]);
  const [broken, ...whole] = await received(line, 60);
  expect(() => JSON.parse(broken ?? "") as unknown).toThrow(SyntaxError);
  expect(() => whole.map((text) => JSON.parse(text) as unknown)).not.toThrow();
  await storm.set([
    { kind: "drift", endpoint: "ws", path: "price_change", field: "price_changes.size", change: "retype" },
    { kind: "skew", endpoint: "ws", offset_seconds: 7200 },
  ]);
  await received(line, 60);
  line.texts.pop();
  const changes = frames(line).filter((frame) => frame["event_type"] === "price_change");
  expect(changes.length).toBeGreaterThan(0);
  for (const frame of changes) {
    expect((frame["price_changes"] as Frame[]).every((change) => typeof change["size"] === "number")).toBe(true);
    expect(Number(frame["timestamp"])).toBeGreaterThan(storm.exchange.world.now() + 7_000_000);
  }
  const trades = frames(line).filter((frame) => frame["event_type"] === "last_trade_price");
  expect(trades.every((frame) => Number(frame["timestamp"]) <= storm.exchange.world.now())).toBe(true);
});

test("a handshake can be refused with 429, fail with 503 or be reset", async () => {
  await storm.set([{ kind: "refuse", endpoint: ["ws", "rtds"] }]);
  expect((await openLine(urls().ws_url)).error).toContain("429");
  expect((await openLine(urls().rtds_url)).error).toContain("429");
  await storm.set([{ kind: "fail", endpoint: "jetstream", statuses: [503] }]);
  expect((await openLine(urls().jetstream_url)).error).toContain("503");
  await storm.set([{ kind: "reset", endpoint: "ws" }]);
  expect((await openLine(urls().ws_url)).error).toContain("ECONNRESET");
});

async function openKalshi(): Promise<Line> {
  const { kalshi_ws_url, kalshi_key_id, kalshi_private_key_pem } = urls();
  const line = await openLine(kalshi_ws_url, sign(kalshi_key_id, kalshi_private_key_pem));
  lines.push(line);
  return line;
}

test("drop_frames on Kalshi drops a snapshot but not the acknowledgement, and leaves a sequence gap", async () => {
  await storm.set([{ kind: "drop_frames", endpoint: "kalshi_ws", path: "orderbook_snapshot", count: 1 }]);
  const line = await openKalshi();
  const tickers = storm.exchange.world.kalshi.markets.filter((market) => market.status === "active").slice(0, 2);
  const params = { channels: ["orderbook_delta"], market_tickers: tickers.map((market) => market.ticker) };
  line.socket.send(JSON.stringify({ id: 1, cmd: "subscribe", params }));
  await expect
    .poll(() => frames(line).map((frame) => [frame["type"], frame["seq"]]))
    .toEqual([
      ["subscribed", undefined],
      ["orderbook_snapshot", 2],
    ]);
  expect(await injected()).toEqual({ drop_frames: { kalshi_ws: 1 } });
});

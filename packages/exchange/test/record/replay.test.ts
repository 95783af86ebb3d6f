import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRecordedMessages } from "../../src/record/read-recorded-messages.ts";
import type { RecordedMessage } from "../../src/record/recorded-message.ts";
import { serveReplay } from "../../src/record/serve-replay.ts";
import { ABSENT, REASON, RECORDED } from "./recorded-folder.ts";

/** Connects, subscribes, and gathers frames until none has come for a while. */
async function gather(url: string, assets: string[], quietMs = 1500): Promise<string[]> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.once("open", resolve).once("error", reject);
  });
  const frames: string[] = [];
  let last = Date.now();
  socket.on("message", (data) => {
    frames.push(data.toString());
    last = Date.now();
  });
  socket.send(JSON.stringify({ assets_ids: assets, type: "market" }));
  // The first replay reads the recordings twice before the first frame.
  for (const start = Date.now(); frames.length === 0 && Date.now() - start < 20_000;) await wait(50);
  while (Date.now() - last < quietMs) await wait(50);
  socket.terminate();
  return frames;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

describe.skipIf(ABSENT)(`market websocket recordings${REASON}`, () => {
  const counts = new Map<string, number>();
  const byAsset = new Map<string, RecordedMessage[]>();
  let world: WebSocketServer;
  let door: Awaited<ReturnType<typeof serveReplay>>;

  beforeAll(async () => {
    for await (const message of readRecordedMessages(RECORDED)) {
      const frame = JSON.parse(message.frame) as { event_type?: string };
      const kind = `${message.source} ${frame.event_type ?? "array"}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const asset = message.asset_ids[0] ?? "";
      byAsset.set(asset, [...(byAsset.get(asset) ?? []).slice(0, 2), message]);
    }
    world = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    world.on("connection", (client) => client.on("message", (data) => client.send(`world: ${data.toString()}`)));
    await new Promise((resolve) => world.once("listening", resolve));
    const upstream = `ws://127.0.0.1:${(world.address() as AddressInfo).port}/ws/market`;
    door = await serveReplay({ dir: RECORDED, upstream, host: "127.0.0.1", port: 0 });
  });

  afterAll(async () => {
    await door.close();
    world.close();
  });

  it("hold what the files hold", () => {
    expect(Object.fromEntries(counts)).toEqual({
      "btc_eth_5m book": 45_512,
      "btc_eth_5m last_trade_price": 60_612,
      "fleet array": 4,
      "fleet price_change": 4,
      "signaldrift book": 3355,
      "signaldrift price_change": 98_991,
    });
  });

  it("come over the wire, all of them, whatever the reader's pace", async () => {
    const assets = [...byAsset].filter(([, messages]) => messages[0]?.source === "btc_eth_5m").map(([asset]) => asset);
    expect(assets).toHaveLength(80);
    const frames = await gather(door.ws_url, assets);
    expect(frames.length).toBe(60_612 + 45_512);
  }, 60_000);

  it("keep the old form of a price change, and frames letter by letter", async () => {
    const old = [...byAsset].find(([, messages]) => messages[0]?.source === "signaldrift");
    const [first, ...rest] = await gather(door.ws_url, [old?.[0] ?? ""]);
    expect(JSON.parse(first ?? "{}")).toMatchObject({ event_type: "book", asset_id: old?.[0] });
    const change = rest.map((frame) => JSON.parse(frame) as Record<string, unknown>).find((frame) => frame["changes"]);
    expect(change).toMatchObject({ event_type: "price_change", asset_id: old?.[0] });
    expect(change).not.toHaveProperty("price_changes");
    const fleet = "103599770717172967719961451887620446300201640099216457678699864025236183422254";
    const frames = await gather(door.ws_url, [fleet]);
    expect(JSON.parse(frames[0] ?? "")).toMatchObject([{ hash: "2c98d9ea9433474e6fd4d302781b8c1c7dba47f5", asks: [] }]);
  }, 60_000);

  it("leave other tokens to the world, and answer PING", async () => {
    const socket = new WebSocket(door.ws_url);
    const frames: string[] = [];
    socket.on("message", (data) => frames.push(data.toString()));
    await new Promise((resolve) => socket.once("open", resolve));
    socket.send("PING");
    socket.send(JSON.stringify({ assets_ids: ["1", "2"], type: "market" }));
    await expect.poll(() => frames.length, { timeout: 10_000 }).toBe(2);
    expect(frames).toEqual(["PONG", 'world: {"assets_ids":["1","2"],"type":"market"}']);
    socket.terminate();
  }, 20_000);
});

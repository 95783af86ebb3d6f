import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { openConnection, type Connection } from "../../src/ingest/socket/connection.ts";
import { manualClock, type ManualClock } from "./manual-clock.ts";

let venue: WebSocketServer;
let there: WebSocket;
let connection: Connection;
let clock: ManualClock;
let received: number;
let isHearing: boolean;
let ended: string | undefined;

beforeEach(async () => {
  received = 0;
  isHearing = true;
  ended = undefined;
  clock = manualClock();
  venue = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  venue.on("connection", (one) => {
    there = one;
    one.on("message", () => {
      if (isHearing) one.send("PONG");
    });
  });
  await new Promise((resolve) => venue.once("listening", resolve));
  connection = await openConnection({
    url: `ws://127.0.0.1:${(venue.address() as AddressInfo).port}`,
    headers: {},
    clock,
    venueNow: clock.now,
    handshakeMs: 10_000,
    maxPayloadBytes: 1024,
    silentAfterMs: 60_000,
    heartbeat: { send: "PING", everySeconds: 20 },
    onFrame: () => {
      received += 1;
    },
  });
  void connection.closed.then((why) => (ended = why));
});
afterEach(() => {
  connection.end("the test ends");
  venue.close();
});

/** Advances the clock by `seconds`; the venue pings in each of them. */
async function goOn(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    const pinged = new Promise((resolve) => there.once("pong", resolve));
    there.ping();
    await pinged;
    await clock.advance(1000);
  }
}

test("a venue that answers heartbeats is not silent even if it sends nothing else", async () => {
  for (let times = 1; times <= 6; times += 1) {
    await goOn(20);
    await expect.poll(() => received).toBe(times);
    expect(ended).toBeUndefined();
  }
});

test("a venue that pings but answers no heartbeat is silent: sent messages no longer reach it", async () => {
  await goOn(20);
  await expect.poll(() => received).toBe(1);
  isHearing = false;
  for (let second = 0; second < 62; second += 1) {
    if (there.readyState === there.OPEN) there.ping();
    await clock.advance(1000);
  }
  await expect.poll(() => ended).toMatch(/^silent for 6[0-2] s$/);
});

import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { keepEcho, type Echo } from "../../src/ingest/socket/echo.ts";
import { manualClock, type ManualClock } from "./manual-clock.ts";

let venue: WebSocketServer;
let socket: WebSocket;
let pings: Buffer[];
let there: WebSocket;
let clock: ManualClock;
let echo: Echo;
let over: AbortController;
const T0 = Date.UTC(2026, 10, 20);

beforeEach(async () => {
  pings = [];
  clock = manualClock(T0);
  over = new AbortController();
  venue = new WebSocketServer({ port: 0, host: "127.0.0.1", autoPong: false });
  venue.on("connection", (one) => {
    there = one;
    one.on("ping", (mark) => pings.push(mark));
  });
  await new Promise((resolve) => venue.once("listening", resolve));
  socket = new WebSocket(`ws://127.0.0.1:${(venue.address() as AddressInfo).port}`);
  await new Promise((resolve) => socket.once("open", resolve));
  echo = keepEcho(socket, { clock, venueNow: clock.now, signal: over.signal });
  await expect.poll(() => pings.length).toBe(1);
});
afterEach(() => {
  over.abort();
  socket.terminate();
  venue.close();
});

const answer = async (mark: Buffer | string): Promise<void> => {
  const received = new Promise((resolve) => socket.once("pong", resolve));
  there.pong(mark);
  await received;
};

test("the echo is the time of the last ping that was answered", async () => {
  await clock.advance(700);
  expect(echo()).toBeUndefined();
  await answer(pings[0] as Buffer);
  expect(echo()).toBe(T0);
  await clock.advance(1000);
  await expect.poll(() => pings.length).toBe(2);
  expect(echo()).toBe(T0);
  await answer(pings[1] as Buffer);
  expect(echo()).toBe(T0 + 1000);
});

test("ignores other pongs, and sends another ping only half a minute after an unanswered one", async () => {
  await answer("unasked");
  await answer("2");
  expect(echo()).toBeUndefined();
  await clock.advance(29_000);
  expect(pings).toHaveLength(1);
  await clock.advance(1000);
  await expect.poll(() => pings.length).toBe(2);
  await answer(pings[0] as Buffer);
  expect(echo()).toBeUndefined();
  await answer(pings[1] as Buffer);
  expect(echo()).toBe(T0 + 30_000);
});

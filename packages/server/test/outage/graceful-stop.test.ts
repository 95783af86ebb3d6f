import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import { connectors } from "../../src/catalogue.ts";
import { sql } from "../../src/definition/sql.ts";
import { openRecords } from "../../src/records/records.ts";
import { openStore } from "../../src/store/open-store.ts";
import { callOwner } from "../fixtures/call-owner.ts";
import { startService } from "./service-process.ts";

const STREAM = "polymarket-trades-rtds";
const TRADES = 2000;
let service: Awaited<ReturnType<typeof startService>> | undefined;
const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
afterEach(async () => {
  for (const socket of server.clients) socket.terminate();
  server.close();
  await service?.close();
});

test("SIGTERM stores all rows waiting in a socket's buffers, saves the progress and exits with 0", async () => {
  const connected = new Promise<WebSocket>((resolve) => server.once("connection", resolve));
  const off = connectors.map(({ name }) => name).filter((name) => name !== STREAM);
  const running = (service = await startService({
    POLYMARKET_RTDS_URL: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    STREAMS_OFF: off.join(","),
  }));
  const socket = await connected;
  await new Promise((resolve) => socket.once("message", resolve));
  await expect.poll(() => reachedOf(running.folder)).not.toBeNull();
  for (let trade = 0; trade < TRADES; trade += 1) socket.send(message(trade));
  // The pong arrives once all earlier messages were received.
  const received = new Promise((resolve) => socket.once("pong", resolve));
  socket.ping();
  await received;
  running.end("SIGTERM");
  expect(await running.ended).toBe(0);
  const stoppedAt = Date.now();

  const store = await openStore({ folder: join(running.folder, "columns") });
  const [stored] = await store.rows(sql`SELECT uniqExact(token_id) AS tokens FROM polymarket_tokens`);
  await store.close();
  expect(stored).toEqual({ tokens: String(TRADES) });
  const records = await openRecords({ dataDir: running.folder });
  const saved = records.db.selectFrom("streams").select(["state", "reached"]).where("name", "=", STREAM);
  const stream = await saved.executeTakeFirst();
  await records.close();
  expect(stream?.state).toBe("stopped");
  expect(stream?.reached?.getTime()).toBeLessThanOrEqual(stoppedAt);
});

/** Reads the stream's progress from the control socket of the running service. */
async function reachedOf(folder: string): Promise<unknown> {
  const { ended, printed } = callOwner("status --json", { ALMANAC_DATA_DIR: folder });
  await ended;
  const { streams } = JSON.parse(printed().split("\n")[0] ?? "") as { streams: { name: string; reached: unknown }[] };
  return streams.find(({ name }) => name === STREAM)?.reached ?? null;
}

function message(trade: number): string {
  const payload = {
    proxyWallet: `0x${"7".repeat(40)}`,
    side: "BUY",
    asset: String(10n ** 70n + BigInt(trade)),
    conditionId: `0x${"15".repeat(32)}`,
    size: 50.5,
    price: 0.49,
    timestamp: 1_766_038_581 + trade,
    slug: "eth-updown-15m-1766038500",
    outcome: "Up",
    outcomeIndex: 0,
    transactionHash: `0x${trade.toString(16).padStart(64, "0")}`,
  };
  return JSON.stringify({ topic: "activity", type: "trades", payload });
}

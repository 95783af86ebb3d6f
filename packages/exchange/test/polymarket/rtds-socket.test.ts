import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { isWithheld } from "../../src/polymarket/rtds/rtds-socket.ts";
import type { MatchHappening } from "../../src/world/contract.ts";
import { openPaper, type Paper } from "./paper.ts";

interface Message {
  connection_id: string;
  topic: string;
  type: string;
  timestamp: number;
  payload: Record<string, unknown>;
}

let paper: Paper;
let wall = 0;
const sockets: WebSocket[] = [];
beforeAll(async () => {
  paper = await openPaper({ rtds: { wall: () => wall, silent_after_ms: 1000, missing_per_mille: 0 } });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});
afterAll(() => paper.served.close());

const subscribe = (type: string): string =>
  JSON.stringify({ action: "subscribe", subscriptions: [{ topic: "activity", type }] });

async function listen(...sent: string[]) {
  const socket = new WebSocket(paper.served.urls.rtds);
  sockets.push(socket);
  const texts: string[] = [];
  socket.on("message", (data) => texts.push((data as Buffer).toString()));
  await new Promise((done, fail) => socket.once("open", done).once("error", fail));
  const settled = async (): Promise<void> => {
    const received = texts.length;
    socket.send("PING");
    await expect.poll(() => texts.length).toBeGreaterThan(received);
  };
  for (const text of sent) socket.send(text);
  await settled();
  return {
    socket,
    texts,
    settled,
    messages: () => texts.filter((text) => text !== "").map((text) => JSON.parse(text) as Message),
  };
}

/** Advances world time; returns the new matches whose messages are all due by then. */
function trade(ms: number): MatchHappening[] {
  const from = paper.world.now();
  paper.pass(ms);
  return paper.world.polymarket.matches.filter((match) => match.ms > from && match.ms <= paper.world.now() - 2100);
}

describe("the real-time data socket", () => {
  test("greets with an empty frame and answers PING with another", async () => {
    const { texts } = await listen();
    expect(texts).toEqual(["", ""]);
  });

  test("sends each match once as orders_matched and each of its legs as a trade, about two seconds later", async () => {
    const client = await listen(subscribe("*"));
    const matches = trade(120_000);
    expect(matches.length).toBeGreaterThan(5);
    await client.settled();
    const messages = client.messages();
    for (const match of matches) {
      const published = messages.filter(({ payload }) => payload["transactionHash"] === match.tx_hash);
      const matched = published.filter(({ type }) => type === "orders_matched");
      expect(matched).toHaveLength(1);
      expect(matched[0]).toMatchObject({
        topic: "activity",
        timestamp: match.ms + 1900,
        payload: {
          asset: match.taker.token_id,
          conditionId: match.market.condition_id,
          side: match.taker.side,
          size: match.taker.shares_micro / 1e6,
        },
      });
      const trades = published.filter(({ type }) => type === "trades");
      expect(trades.map(({ payload }) => String(payload["proxyWallet"]).toLowerCase()).toSorted()).toEqual(
        [match.taker, ...match.makers].map(({ wallet }) => wallet).toSorted(),
      );
      for (const { payload } of published) {
        const early = match.block_ms / 1000 - Number(payload["timestamp"]);
        expect([0, 1, 2]).toContain(early);
      }
    }
    const wallets = messages.map(({ payload }) => String(payload["proxyWallet"]));
    expect(wallets.some((wallet) => wallet !== wallet.toLowerCase())).toBe(true);
  });

  test("sends a message only once world time has reached its timestamp", async () => {
    const client = await listen(subscribe("orders_matched"));
    trade(60_000);
    await client.settled();
    expect(Math.max(...client.messages().map(({ timestamp }) => timestamp))).toBeLessThanOrEqual(paper.world.now());
  });

  test("goes silent without PING but stays open; a late PING does not resume it", async () => {
    const client = await listen(subscribe("*"));
    wall += 1001;
    trade(60_000);
    await client.settled();
    trade(60_000);
    await client.settled();
    expect(client.messages()).toEqual([]);
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
  });

  test("withholds about the given number per thousand transactions, the same ones every time", () => {
    const hashes = Array.from({ length: 20_000 }, (_, index) => `0x${index.toString(16)}`);
    const missing = hashes.filter((hash) => isWithheld(7, hash, 3));
    expect(missing.length).toBeGreaterThan(30);
    expect(missing.length).toBeLessThan(100);
    expect(hashes.filter((hash) => isWithheld(7, hash, 3))).toEqual(missing);
    expect(hashes.filter((hash) => isWithheld(8, hash, 3))).not.toEqual(missing);
  });
});

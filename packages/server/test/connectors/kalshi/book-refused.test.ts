import { expect, it } from "vitest";
import { BookSession } from "../../../src/connectors/kalshi/book/book-session.ts";
import { Ladder } from "../../../src/connectors/kalshi/book/ladder.ts";
import type { Decoded } from "../../../src/definition/session.ts";

const TICKERS = ["A", "B", "C"];
const NOON = 1_790_000_000_000;

type Sent = { id: number; cmd: string; params: { action?: string; market_tickers: string[] } };
const sentBy = ({ send = [] }: Decoded): Sent[] => send.map((text) => JSON.parse(text) as Sent);
const said = (decoded: Decoded) =>
  sentBy(decoded).map(({ cmd, params }) => `${params.action ?? cmd} ${params.market_tickers.join(" ")}`);

const refusal = (id: number, code: number) => JSON.stringify({ id, type: "error", msg: { code, msg: "not now" } });
const heartbeat = JSON.stringify({ id: 0, type: "ok", msg: [] });
const subscribed = JSON.stringify({ id: 1, type: "subscribed", msg: { channel: "orderbook_delta", sid: 7 } });
const snapshot = (market: string, seq: number, id?: number) =>
  JSON.stringify({ id, type: "orderbook_snapshot", sid: 7, seq, msg: { market_ticker: market } });
const isWhole = (session: BookSession) => TICKERS.map((ticker) => session.isWhole(ticker));
const fetched = (instrument: string) => ({ instrument, state: new Ladder() });

function open() {
  const session = new BookSession();
  session.subscribe(TICKERS);
  return session;
}

/** A session with all three books complete, by sequence numbers 1 to 3. */
function opened() {
  const session = open();
  session.decode(subscribed, NOON);
  for (const [index, ticker] of TICKERS.entries()) session.decode(snapshot(ticker, index + 1), NOON);
  expect(isWhole(session)).toEqual([true, true, true]);
  return session;
}

it("resubscribes to all markets in one command on a fresh socket whose only command was refused", () => {
  const session = open();
  expect(session.decode(refusal(1, 18), NOON).broken).toHaveLength(3);
  const requested = session.adopt(fetched("A"), NOON + 300);
  expect(requested.rows).toEqual([]);
  expect(said(requested)).toEqual(["subscribe A B C"]);
  expect(said(session.adopt(fetched("B"), NOON + 300))).toEqual([]);
});

it("retries a refused subscription with growing delays, even if no REST book arrives", () => {
  const session = open();
  const requested: number[] = [];
  let id = 1;
  session.decode(refusal(id, 27), NOON);
  for (let second = 0; second < 600; second += 1) {
    const now = NOON + second * 1000;
    for (const sent of sentBy(session.decode(heartbeat, now))) {
      requested.push(second);
      ({ id } = sent);
      session.decode(refusal(id, 27), now);
    }
  }
  expect(requested.length).toBeGreaterThan(8);
  expect(requested.length).toBeLessThan(20);
  const waits = requested.map((second, index) => second - (requested[index - 1] ?? 0));
  expect(Math.max(...waits)).toBeLessThanOrEqual(61);
  expect(waits.slice(4).every((wait) => wait > 3)).toBe(true);
});

it("retries refused snapshots as snapshots, without adding markets that are already subscribed", () => {
  const session = opened();
  const [lost] = sentBy(session.decode(snapshot("A", 9), NOON));
  expect(lost?.params.action).toBe("get_snapshot");
  session.decode(refusal(lost!.id, 18), NOON);
  const again = session.adopt(fetched("B"), NOON + 300);
  expect(again.rows).toHaveLength(1);
  expect(said(again)).toEqual(["get_snapshot B C"]);
  const { id } = sentBy(again)[0]!;
  session.decode(snapshot("B", 10, id), NOON + 400);
  session.decode(snapshot("C", 11, id), NOON + 400);
  expect(isWhole(session)).toEqual([true, true, true]);
});

it("requests a snapshot of a possibly added market only once it is confirmed as added", () => {
  const session = opened();
  const [add] = session.subscribe(["D"]).map((text) => JSON.parse(text) as Sent);
  session.decode(refusal(add!.id, 18), NOON);
  const again = session.adopt(fetched("D"), NOON + 300);
  expect(said(again)).toEqual(["add_markets D"]);
  const ok = { id: sentBy(again)[0]!.id, sid: 7, seq: 4, type: "ok", msg: {} };
  expect(said(session.decode(JSON.stringify(ok), NOON + 400))).toEqual(["get_snapshot D"]);
});

it("requests no snapshot of a permanently refused market, as no changes would follow it", () => {
  const session = opened();
  const [add] = session.subscribe(["D"]).map((text) => JSON.parse(text) as Sent);
  session.decode(refusal(add!.id, 26), NOON);
  const lost = session.decode(snapshot("A", 9), NOON);
  expect(lost.broken).toHaveLength(4);
  expect(said(lost)).toEqual(["get_snapshot A B C"]);
  expect(session.isOutOfReach("D")).toBe(true);
});

it("resubscribes if the reply to the subscription was lost, and requests snapshots until they arrive", () => {
  const session = open();
  // The socket was frozen briefly, and brings heartbeats again.
  expect(said(session.adopt(fetched("A"), NOON))).toEqual([]);
  session.adopt(fetched("B"), NOON);
  session.adopt(fetched("C"), NOON);
  expect(said(session.decode(heartbeat, NOON + 10_000))).toEqual([]);
  const again = session.decode(heartbeat, NOON + 20_000);
  expect(said(again)).toEqual(["subscribe A B C"]);
  const { id } = sentBy(again)[0]!;
  const answered = JSON.stringify({ id, type: "subscribed", msg: { channel: "orderbook_delta", sid: 7 } });
  expect(said(session.decode(answered, NOON + 20_100))).toEqual(["get_snapshot A B C"]);
  // The wait is twice as long as the first time.
  expect(said(session.decode(heartbeat, NOON + 49_999))).toEqual([]);
  const [requested] = sentBy(session.decode(heartbeat, NOON + 50_000));
  expect(requested?.params).toMatchObject({ action: "get_snapshot", market_tickers: TICKERS });
  for (const [index, ticker] of TICKERS.entries())
    session.decode(snapshot(ticker, index + 1, requested!.id), NOON + 50_100);
  expect(isWhole(session)).toEqual([true, true, true]);
  expect(said(session.decode(heartbeat, NOON + 600_000))).toEqual([]);
});

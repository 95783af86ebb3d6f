import { createServer, type ServerResponse } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import pino from "pino";
import { Registry } from "prom-client";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { readBookFrame } from "../../src/connectors/kalshi/book/book-frame.ts";
import { readFrame } from "../../src/connectors/polymarket/book/read-frame.ts";
import { kalshiMarketsStream } from "../../src/connectors/kalshi/markets.ts";
import type { Connector, Host } from "../../src/definition/connector.ts";
import { type PageAgain, type ParkedRow, replayPage } from "../../src/ingest/replay/replay-page.ts";
import { kalshiMarkets } from "../../src/tables/kalshi-markets.ts";
import { MIB } from "../../src/definition/upstream-bounds.ts";
import { rowsOf } from "../../src/definition/rows-of.ts";
import { createBudget } from "../../src/ingest/budget.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { createFeed, type FeedOptions } from "../../src/ingest/feed/feed.ts";
import type { ParkedPage } from "../../src/ingest/feed/accept.ts";
import { PIECE_BYTES } from "../../src/ingest/feed/read-body.ts";
import { createIngestMetrics } from "../../src/ingest/ingest-metrics.ts";
import { playJetstream } from "../connectors/bluesky/play-jetstream.ts";

const HOST: Host = {
  name: "venue",
  setting: "VENUE_URL",
  share: 1,
  maxBytes: 4 * MIB,
  limits: { all: { tokens: 1000, perSeconds: 1 } },
};
const call = { path: "/rows", route: "all" };
const row = z.object({ id: z.number(), price: z.number().max(1) });
const page = z.object({ rows: rowsOf(row, { at: (raw) => Number(raw["id"]) }) });

const replaying: Connector = {
  ...kalshiMarketsStream,
  replay: ({ read }) => [{ table: kalshiMarkets, rows: read(page).rows }],
};
const parkedPage = (body: string) => ({ route: "all", path: "/rows", parked_at: new Date(0), body }) as ParkedRow;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function upstream(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function open(baseUrl: string, more: Partial<FeedOptions> = {}) {
  const parked: ParkedPage[] = [];
  const feed = createFeed({
    host: HOST,
    baseUrl,
    budget: createBudget(HOST, systemClock),
    stream: "rows",
    priority: "live",
    log: pino({ level: "silent" }),
    park: async (found) => void parked.push(found),
    clock: systemClock,
    signal: new AbortController().signal,
    metrics: createIngestMetrics(new Registry()),
    attempts: 1,
    ...more,
  });
  return { feed, parked };
}

/** Number of event loop iterations while `work` runs. */
async function turnsWhile(work: () => Promise<unknown>): Promise<number> {
  let cycles = 0;
  let isOver = false;
  const cycle = (): void => {
    cycles += 1;
    if (!isOver) setImmediate(cycle);
  };
  setImmediate(cycle);
  await work().finally(() => (isOver = true));
  return cycles;
}

const text = (body: string) => (response: ServerResponse) => void response.end(body);
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const emptyRows = (count: number): string => `[${"{},".repeat(count - 1)}{}]`;
const named = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"n${index}":1`).join(",")}}`;
/** Each object has a different field name, which is the most expensive input for an engine. */
const strangeRows = (count: number): string =>
  `[${Array.from({ length: count }, (_, index) => `{"n${index}":1}`).join(",")}]`;
const goodRows = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, price: 0.5, note: "n".repeat(80) }));

describe("an upstream response", () => {
  test("of 64 MiB is read up to the host's size limit, and its beginning is parked", async () => {
    let sent = 0;
    const url = await upstream((response) => {
      const part = "{},".repeat(100_000);
      response.write("[");
      const more = (): void => {
        while (sent < 64 * MIB && !response.destroyed) {
          sent += part.length;
          if (!response.write(part)) return void response.once("drain", more);
        }
        response.end("{}]");
      };
      more();
    });
    const { feed, parked } = open(url);
    await expect(feed.get(call, z.array(row))).rejects.toMatchObject({ name: "UpstreamChanged" });
    expect(parked).toHaveLength(1);
    expect(parked[0]?.body.length).toBe(64 * 1024);
    expect(sent).toBeLessThan(32 * MIB);
  });

  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ])("with %s compression is decoded, refusals included, up to the host's size limit", async (encoding, pack) => {
    const packed = (status: number, body: string) => (response: ServerResponse) =>
      void response.writeHead(status, { "content-encoding": encoding }).end(pack(body));
    const { feed } = open(await upstream(packed(200, JSON.stringify({ rows: goodRows(2000) }))));
    expect((await feed.get(call, page))?.rows).toHaveLength(2000);
    const refusing = open(await upstream(packed(403, "not for you")));
    await expect(refusing.feed.get(call, page)).rejects.toThrow("403 to /rows: not for you");
    const { feed: small, parked } = open(await upstream(packed(200, `"${"x".repeat(40 * MIB)}"`)));
    await expect(small.get(call, page)).rejects.toMatchObject({ name: "UpstreamChanged" });
    expect(parked).toMatchObject([{ problem: "it is over 4194304 bytes" }]);
  });

  test("with too many bytes, values or levels is parked with what is missing if the walk can continue", async () => {
    const bodies = [`"${"x".repeat(5 * MIB)}"`, emptyRows(1_000_000), nested(50_000), nested(65), named(10_001)];
    const problems: string[] = [];
    for (const body of bodies) {
      const { feed, parked } = open(await upstream(text(body)));
      expect(await feed.get({ ...call, ifChanged: { from: 1, to: 2 } }, page)).toBeUndefined();
      expect(parked).toMatchObject([{ missing: { from: 1, to: 2 }, path: "/rows" }]);
      problems.push(parked[0]?.problem ?? "");
    }
    expect(problems).toEqual([
      "it is over 4194304 bytes",
      "it is more than 262144 values",
      "it is deeper than 64 levels",
      "it is deeper than 64 levels",
      "it is an object of more than 10000 names",
    ]);
  });

  test("with deep, endless or broken values in rows loses only those rows", async () => {
    const wrong = [
      '{"id":1,"price":1e400}',
      '{"id":2,"price":1e308}',
      '{"id":3,"price":"\\ud800"}',
      '{"id":4,"price":',
    ];
    const body = `{"rows":[{"id":0,"price":0.5},${wrong.join(",")}${nested(50)}},{"id":5,"price":0.5,"x":"\\udfff"}]}`;
    const { feed, parked } = open(await upstream(text(body)));
    expect(await feed.get(call, page)).toEqual({ rows: [0, 5].map((id) => ({ id, price: 0.5 })) });
    expect(parked[0]?.refused?.map(({ position, span }) => [position, span?.from])).toEqual(
      [1, 2, 3, 4].map((id) => [`rows[${id}]`, id]),
    );
  });

  test("with malformed rows only is parked entirely, without examining each row", async () => {
    const { feed, parked } = open(await upstream(text(`{"rows":${emptyRows(20_000)}}`)));
    await expect(feed.get(call, page)).rejects.toMatchObject({ name: "UpstreamChanged" });
    expect(parked).toMatchObject([{ field: "rows[0].id" }]);
    expect(parked[0]?.refused).toBeUndefined();
  });

  test("with one byte now and then times out", async () => {
    const url = await upstream((response) => {
      const drip = setInterval(() => response.write(" "), 10);
      closers.push(() => clearInterval(drip));
    });
    await expect(open(url, { timeoutMs: 150 }).feed.get(call, page)).rejects.toThrow(
      "no complete answer within 150 ms",
    );
  });

  test("with a long page is read in pieces, and the event loop runs between them", async () => {
    const rows = goodRows(18_000);
    const body = JSON.stringify({ rows });
    const { feed, parked } = open(await upstream(text(body)));
    let read: unknown;
    const cycles = await turnsWhile(async () => (read = await feed.get(call, page)));
    expect(read).toEqual({ rows: rows.map(({ id, price }) => ({ id, price })) });
    expect(parked).toEqual([]);
    // Each piece of the text, and each 250 of its rows.
    expect(cycles).toBeGreaterThan(body.length / (2 * PIECE_BYTES) + rows.length / 250);
  });

  test("with a long page is also replayed in pieces after parking", async () => {
    const parked = parkedPage(JSON.stringify({ rows: [...goodRows(18_000), { id: 1, price: 2 }] }));
    let again: PageAgain | undefined;
    const cycles = await turnsWhile(async () => (again = await replayPage(replaying, parked)));
    expect(again).toMatchObject({ kind: "read", left: { refused: [{ position: "rows[18000]" }] } });
    expect(cycles).toBeGreaterThan(parked.body.length / (2 * PIECE_BYTES) + 18_000 / 250);
  });
});

test("parks frames that are too deep, too many or broken, and continues the stream", async () => {
  const venue = await playJetstream();
  closers.push(() => venue.close());
  const { feed, parked } = open(venue.url);
  const wire = z.object({ time_us: z.number(), text: z.string() });
  const START = 1_780_000_000_000;
  const received = feed.listen({ path: "/subscribe", route: "all" }, wire, {
    silentAfterSeconds: 30,
    glance: (frame) => (frame.includes("time_us") ? { ms: START, isNeeded: true } : undefined),
  });
  const first = received.next();
  await expect.poll(() => venue.listeners(), { interval: 5 }).toBe(1);
  const hostile = [nested(50_000), emptyRows(300_000), `{"text":1e400,"x":"\\ud800"}`, "[".repeat(9000)];
  for (const frame of hostile) venue.send(frame);
  venue.send(`{"time_us":1,"text":"\\udc00"}`);
  expect((await first).value?.events).toEqual([{ time_us: 1, text: "\udc00" }]);
  expect(parked).toHaveLength(4);
  for (const { body, sample } of parked) expect(body.length + sample.length).toBeLessThan(66_000);
  await received.return();
});

test.each([
  ["Polymarket", readFrame],
  ["Kalshi", readBookFrame],
])("detects a hostile frame of %s's socket as malformed without examining all of it", (_venue, read) => {
  const levels = `{"price":1,"size":1},`.repeat(19_000);
  const frames = [
    nested(50_000),
    emptyRows(200_000),
    `{"event_type":"book","type":"orderbook_snapshot","sid":1,"seq":1,"msg":{"yes_dollars_fp":${emptyRows(9999)}},"bids":[${levels}{}]}`,
  ];
  for (const frame of frames) {
    let error: unknown;
    try {
      read(frame);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(z.core.$ZodError);
    expect((error as z.ZodError).issues.length).toBeLessThan(10);
  }
});

test.runIf(thoroughly(true, false))("no response blocks the event loop for 100 ms", async () => {
  const bodies = [
    emptyRows(1_300_000),
    `{"rows":${emptyRows(20_000)}}`,
    nested(50_000),
    JSON.stringify({ rows: goodRows(18_000) }),
    `{"rows":[${named(9000)},${named(9000)}]}`,
    `{"rows":${strangeRows(20_000)}}`,
  ];
  for (const body of bodies) {
    const { feed } = open(await upstream(text(body)));
    expect(await longestHold(() => feed.get({ ...call, ifChanged: { from: 1, to: 2 } }, page))).toBeLessThan(100);
  }
  const parked = parkedPage(JSON.stringify({ rows: [...goodRows(18_000), { id: 1, price: 2 }] }));
  expect(await longestHold(() => replayPage(replaying, parked))).toBeLessThan(100);
  for (const frame of [strangeRows(39_000), named(80_000), emptyRows(79_000), `"${"\\u0041".repeat(MIB / 3)}"`]) {
    for (const read of [readFrame, readBookFrame]) {
      expect(await longestHold(async () => expect(() => read(frame)).toThrow())).toBeLessThan(100);
    }
  }
});

/** The longest time (ms) for which the event loop was blocked. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await turnsWhile(work);
  delay.disable();
  return delay.max / 1e6;
}

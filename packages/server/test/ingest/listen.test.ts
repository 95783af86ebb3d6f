import pino from "pino";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import type { Host } from "../../src/definition/connector.ts";
import type { Listener, ListenOptions, Stranger } from "../../src/definition/listen.ts";
import { createBudget } from "../../src/ingest/budget.ts";
import { type Clock, systemClock } from "../../src/ingest/clock.ts";
import { createFeed } from "../../src/ingest/feed/feed.ts";
import type { ParkedPage } from "../../src/ingest/feed/accept.ts";
import { createIngestMetrics } from "../../src/ingest/ingest-metrics.ts";
import { playJetstream } from "../connectors/bluesky/play-jetstream.ts";

const HOST: Host = { name: "venue", setting: "VENUE_URL", share: 1, limits: { all: { tokens: 100, perSeconds: 1 } } };
const wire = z.object({ time_us: z.number(), by: z.string().optional(), text: z.string() });
const START = 1_780_000_000_000;
const glance: ListenOptions["glance"] = (frame) => {
  const time = /"time_us":(\d+)/.exec(frame)?.[1];
  return time === undefined ? undefined : { ms: Number(time) / 1000, isNeeded: !frame.includes("unneeded") };
};
const strangerOf = (value: unknown): Stranger | undefined => {
  const read = z.object({ time_us: z.number(), by: z.string(), from: z.string().optional() }).safeParse(value);
  return read.success ? { kind: read.data.by, id: read.data.from ?? String(read.data.time_us) } : undefined;
};

/** Sleeps a tenth as long: frames are gathered for half a second each time. */
const expedited: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 10, signal) };

let venue: Awaited<ReturnType<typeof playJetstream>>;
beforeEach(async () => (venue = await playJetstream()));
afterEach(() => venue.close());

function listen(more: Partial<ListenOptions> = {}) {
  const parked: ParkedPage[] = [];
  const feed = createFeed({
    host: HOST,
    baseUrl: venue.url,
    budget: createBudget(HOST, systemClock),
    stream: "events",
    priority: "live",
    log: pino({ level: "silent" }),
    park: async (page) => void parked.push(page),
    clock: expedited,
    venueNow: () => START + 60_000,
    signal: new AbortController().signal,
    metrics: createIngestMetrics(new Registry()),
  });
  const options = { silentAfterSeconds: 30, glance, strangerOf, ...more };
  const call = { path: "/subscribe", query: [["cursor", "0"]] as const, route: "all" };
  return { parked, received: feed.listen(call, wire, options) };
}

const event = (second: number, more: object = { text: "x" }) => ({ time_us: (START + second * 1000) * 1000, ...more });
async function next<T>(received: AsyncGenerator<Listener<T>, void, void>): Promise<Listener<T>> {
  const { value } = await received.next();
  if (value === undefined) throw new Error("nothing more");
  return value;
}

test("yields the events received, with the span that includes unneeded ones", async () => {
  venue.report(event(1), event(2, { text: "unneeded" }));
  const { received, parked } = listen();
  expect(await next(received)).toEqual({
    events: [event(1)],
    span: { from: START + 1000, to: START + 2000 },
    isLive: false,
    malformed: 0,
  });
  venue.report(event(59));
  expect((await next(received)).isLive).toBe(true);
  expect(parked).toEqual([]);
  await received.return();
  await expect.poll(() => venue.listeners()).toBe(0);
});

test("parks malformed frames with gaps at their timestamps, and continues", async () => {
  venue.report(event(1), event(2, { text: 7 }), event(3, {}), event(4), event(400_000));
  const { received, parked } = listen();
  await venueSays(() => venue.send("not JSON"));
  const { events, span } = await next(received);
  expect(events).toEqual([event(1), event(4)]);
  expect(span).toEqual({ from: START + 1000, to: START + 4000 });
  const all = [...parked];
  if (all.length < 4) await next(received);
  expect(parked.map(({ field, missing }) => [field, missing?.from, missing?.to])).toEqual(
    expect.arrayContaining([
      ["text", START + 2000, START + 2000],
      ["text", START + 3000, START + 3000],
    ]),
  );
  expect(parked.map(({ body }) => body)).toContain("not JSON");
  expect(parked.map(({ field }) => field)).toContain("(its moment)");
  await received.return();
});

async function venueSays(say: () => void): Promise<void> {
  void expect
    .poll(() => venue.listeners(), { interval: 5 })
    .toBe(1)
    .then(say);
}

test("counts malformed third-party content, and parks it once none of it is well-formed any more", async () => {
  const wrong = (second: number) => event(second, { by: "post", text: second });
  venue.report(wrong(1), wrong(2), event(3, { by: "post", text: "right" }), wrong(4), wrong(5), wrong(6));
  const { received, parked } = listen();
  expect(await next(received)).toMatchObject({ events: [{ text: "right" }], malformed: 5 });
  expect(parked).toEqual([]);
  venue.report(wrong(7), wrong(8));
  await next(received);
  expect(parked.map(({ missing }) => missing?.from)).toEqual([4, 5, 6, 7, 4].map((second) => START + second * 1000));
  expect(parked.at(-1)?.missing).toEqual({ from: START + 4000, to: START + 8000 });
  await received.return();
});

/** Malformed content of a third party. */
const wrongFrom = (second: number, from: string) => event(second, { by: "post", from, text: second });

test("does not mistake the malformed content of one author for a change by the venue", async () => {
  venue.report(...[1, 2, 3, 4, 5, 6].map((second) => wrongFrom(second, "one")));
  const { received, parked } = listen();
  expect(await next(received)).toMatchObject({ events: [], malformed: 6 });
  expect(parked).toEqual([]);
  venue.report(wrongFrom(7, "two"), wrongFrom(8, "three"), wrongFrom(9, "four"));
  await next(received);
  const seconds = [1, 2, 3, 4, 7, 8, 1];
  expect(parked.map(({ missing }) => missing?.from)).toEqual(seconds.map((second) => START + second * 1000));
  await received.return();
});

test("throws after everything received when the socket is cut, refused or silent", async () => {
  venue.report(event(1));
  const cut = listen().received;
  await next(cut);
  venue.report(event(2));
  venue.cut();
  expect((await next(cut)).span?.to).toBe(START + 2000);
  await expect(cut.next()).rejects.toThrow(/closed by the venue/);
  const silent = listen({ silentAfterSeconds: 0.5 }).received;
  await next(silent);
  await expect(silent.next()).rejects.toThrow(/silent for/);
  await venue.close();
  await expect(listen().received.next()).rejects.toThrow(/gave no answer/);
  venue = await playJetstream();
});

test("reads no faster than its consumer, and loses nothing of a flood", async () => {
  const count = 60_000;
  venue.report(...Array.from({ length: count }, (_, index) => event(index / 1000)));
  const { received } = listen();
  let got = 0;
  while (got < count) {
    const { events } = await next(received);
    expect(events.length).toBeLessThanOrEqual(5000);
    got += events.length;
  }
  expect(got).toBe(count);
  await received.return();
});

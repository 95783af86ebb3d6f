import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { definePull, type Connector, type Host, type PullConnector } from "../../src/definition/connector.ts";
import { sql } from "../../src/definition/sql.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { openGap } from "../../src/ingest/control/gap-record.ts";
import { reviveGaps } from "../../src/ingest/control/fill-record.ts";
import { openUndo } from "../../src/ingest/control/undo-record.ts";
import { createCoverage } from "../../src/ingest/coverage/coverage.ts";
import { coalesceGaps } from "../../src/ingest/gaps/coalesce-gaps.ts";
import { startIngest } from "../../src/ingest/schedule.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { fillRow } from "./fill-rows.ts";
import { openEngines } from "./open-engines.ts";

const START = Date.UTC(2026, 10, 20) / 1000;
const NOW = START + 3600;
const LIMITS = { all: { tokens: 500, perSeconds: 1 } };
const HOST: Host = { name: "venue", setting: "VENUE_URL", share: 1, limits: LIMITS };
const NODE: Host = { name: "node", setting: "NODE_URL", share: 1, limits: LIMITS };
const pageWire = z.object({ seconds: z.array(z.number()), lacksBefore: z.number().optional() });
const iso = (second: number): string => new Date(second * 1000).toISOString();

let engines: Awaited<ReturnType<typeof openEngines>>;
let url: string;
/** One trade a second (a minute for ranges of days); /live omits `hidden` seconds, /past those before `pruned`. */
const upstream = { hidden: new Set<number>(), pruned: 0, isDown: false, requested: [] as string[] };
const server = createServer((request, response) => {
  const path = new URL(request.url ?? "", "http://x");
  if (path.pathname !== "/live") upstream.requested.push(request.url ?? "");
  const [from, to] = [Number(path.searchParams.get("from")), Number(path.searchParams.get("to"))];
  const isPast = path.pathname === "/past";
  response.writeHead(isPast && upstream.isDown ? 400 : 200, { "content-type": "application/json" });
  const first = isPast ? Math.max(from, upstream.pruned) : from;
  const step = to - first > 7200 ? 60 : 1;
  const seconds = Array.from(
    { length: Math.max(0, Math.ceil((to - first) / step)) },
    (_, index) => first + index * step,
  );
  const served = path.pathname === "/live" ? seconds.filter((second) => !upstream.hidden.has(second)) : seconds;
  const lacks = isPast && from < upstream.pruned ? { lacksBefore: Math.min(upstream.pruned, to) } : {};
  response.end(JSON.stringify({ seconds: served, ...lacks }));
});

beforeAll(async () => {
  engines = await openEngines();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await engines.close();
});
beforeEach(async () => {
  for (const table of ["streams", "backfills", "gaps", "parked", "derivations"] as const)
    await engines.db.deleteFrom(table).execute();
  for (const table of ["polymarket_fills", "polymarket_fills_by_wallet", "polymarket_fills_by_token"])
    await engines.store.run({ kind: "sql", text: `TRUNCATE TABLE ${table}`, values: [] });
  Object.assign(upstream, { hidden: new Set(), pruned: 0, isDown: false, requested: [] });
});

/** A tape whose live walk yields the first hour and reports which part is missing; `past` is the path for ranges. */
function tape(name: string, more: Partial<Omit<PullConnector, "kind">> = {}, past = "/past"): PullConnector {
  return definePull({
    name,
    title: `Tape ${name}`,
    venue: "polymarket",
    host: HOST,
    tables: [polymarketFills],
    everySeconds: 60,
    canBackfill: true,
    async *pull({ feed, range }) {
      const from = range ? Math.floor(Date.parse(range.from) / 1000) : START;
      const to = range ? Math.ceil(Date.parse(range.to) / 1000) : NOW;
      const query = [
        ["from", String(from)],
        ["to", String(to)],
      ] as const;
      const page = await feed.get({ path: range ? past : "/live", query, route: "all" }, pageWire);
      const rows = (page?.seconds ?? []).map((second) => fillRow(second, second));
      const hidden = range ? [] : [...upstream.hidden].toSorted();
      const [first, last] = [hidden[0], hidden.at(-1)];
      const missed = first !== undefined && last !== undefined ? { from: iso(first), to: iso(last) } : undefined;
      const lacks = page?.lacksBefore === undefined ? undefined : { from: iso(from), to: iso(page.lacksBefore) };
      const hole = missed ?? lacks;
      yield {
        rows: [{ table: polymarketFills, rows }],
        cursor: { at: to },
        since: iso(from),
        reached: iso(to),
        isCaughtUp: true,
        ...(hole ? { gap: { ...hole, reason: missed ? "a page was skipped" : "the node threw it away" } } : {}),
      };
    },
    ...more,
  });
}

function start(connectors: readonly Connector[], settings: Record<string, string> = { VENUE_URL: url, NODE_URL: url }) {
  return startIngest({
    connectors,
    derivations: [],
    ...engines,
    settings,
    metrics: new Registry(),
    clock: systemClock,
    signal: new AbortController().signal,
    fillGapsEverySeconds: 0.1,
  });
}

const gaps = () => engines.db.selectFrom("gaps").selectAll().orderBy("id").execute();
const openCount = async (): Promise<number> => (await gaps()).filter(({ filled_at }) => filled_at === null).length;
const seconds = async (): Promise<number> => {
  const [row] = await engines.store.rows<{ n: string }>(sql`SELECT toString(uniqExact(ts)) AS n FROM polymarket_fills`);
  return Number(row?.n);
};
const cover = (connectors: readonly Connector[]) =>
  createCoverage({ connectors, derivations: [], db: engines.db, clock: systemClock })(["polymarket_fills"], {
    from: iso(START),
    to: iso(NOW),
  });

describe("gaps are filled", () => {
  test("by the stream's own walk, and coverage names the gap until the rows are stored", async () => {
    upstream.hidden = new Set([START + 100, START + 101, START + 102]);
    upstream.isDown = true;
    const streams = [tape("trades")];
    const ingest = start(streams);
    await expect.poll(async () => (await gaps())[0]?.attempts).toBeGreaterThan(0);
    expect(await seconds()).toBe(3600 - 3);
    expect(await cover(streams)).toMatchObject({
      complete: false,
      gaps: [{ from: iso(START + 100), to: iso(START + 102), reason: "a page was skipped" }],
      reasons: ["1 gap is in the requested range."],
    });
    upstream.isDown = false;
    await engines.db.updateTable("gaps").set({ retry_at: null }).execute();
    await expect.poll(openCount).toBe(0);
    expect(await seconds()).toBe(3600);
    await ingest.stop();
    expect(await cover(streams)).toMatchObject({ complete: true, gaps: [], reasons: [] });
    // The walk leaves no record that would count as a backfill of its range.
    expect(await engines.db.selectFrom("backfills").selectAll().execute()).toEqual([]);
  });

  test("in one walk for neighbours, and in pieces from its end for a long gap", async () => {
    const given = [
      { from: START - 3 * 86_400, to: START - 86_400 },
      { from: START + 10, to: START + 20 },
      { from: START + 60, to: START + 70 },
    ];
    for (const { from, to } of given) {
      const gap = { stream: "trades", from: new Date(from * 1000), to: new Date(to * 1000), reason: "r" };
      await openGap(engines.db, gap, new Date());
    }
    const ingest = start([tape("trades")]);
    await expect.poll(openCount).toBe(0);
    await ingest.stop();
    expect(upstream.requested).toEqual([
      `/past?from=${START + 10}&to=${START + 71}`,
      `/past?from=${START - 2 * 86_400}&to=${START - 86_400 + 1}`,
      `/past?from=${START - 3 * 86_400}&to=${START - 2 * 86_400 + 1}`,
    ]);
    // Each piece is marked as filled once it was walked.
    const days = (await gaps()).filter(({ from_at }) => from_at.getTime() < START * 1000);
    expect(
      days.map(({ from_at, to_at }) => [from_at, to_at].map((at) => (Number(at) / 1000 - START) / 86_400)),
    ).toEqual([
      [-3, -2],
      [-2, -1],
    ]);
  });

  test("by another stream if their own lacks the rows; what no stream has stays, with the reason", async () => {
    upstream.pruned = START + 50;
    const gap = {
      stream: "chain",
      from: new Date((START + 40) * 1000),
      to: new Date((START + 60) * 1000),
      reason: "r",
    };
    await openGap(engines.db, gap, new Date());
    const chain = tape("chain", { host: NODE });
    const alone = start([chain]);
    await expect.poll(async () => (await gaps()).at(-1)?.unfillable).toBe("chain does not have it");
    await alone.stop();
    const left = (await gaps()).filter(({ filled_at }) => filled_at === null);
    expect(left).toMatchObject([{ from_at: gap.from, to_at: new Date((START + 50) * 1000), tried: ["chain"] }]);
    const coverage = await cover([chain]);
    expect(coverage.reasons).toContain("1 gap is in the requested range; it cannot be filled.");
    expect(coverage.gaps[0]?.reason).toBe("the node threw it away; cannot be filled: chain does not have it");
    // Once the stream that has the same rows is on, it fills what was given up.
    const both = start([chain, tape("data", { replacedBy: "chain" }, "/whole")]);
    await expect.poll(openCount).toBe(0);
    await both.stop();
    expect(upstream.requested.some((path) => path.startsWith("/whole"))).toBe(true);
  });

  test("for a parked page only if a complete walk did not meet it again", async () => {
    const page = { stream: "trades", host: "venue", route: "all", path: "/x", problem: "p", body: "{}" };
    const park = (last_at: Date) =>
      engines.db
        .insertInto("parked")
        .values({ ...page, last_at })
        .returning("id")
        .executeTakeFirstOrThrow();
    const [old, again] = [await park(new Date(0)), await park(new Date(Date.now() + 3_600_000))];
    const span = { stream: "trades", from_at: iso(START + 5), to_at: iso(START + 6), reason: "a page is parked" };
    await engines.db
      .insertInto("gaps")
      .values([
        { ...span, parked_id: old.id },
        { ...span, parked_id: again.id },
      ])
      .execute();
    const ingest = start([tape("trades")]);
    await expect.poll(openCount).toBe(1);
    await ingest.stop();
    expect(await gaps()).toMatchObject([
      { parked_id: old.id, filled_at: expect.any(Date) },
      { parked_id: again.id, filled_at: null, unfillable: null, attempts: 1 },
    ]);
  });

  test("in pieces for a long parked page, only where the walk did not meet the page again", async () => {
    const page = { stream: "trades", host: "venue", route: "all", path: "/x", problem: "p", body: "{}" };
    const values = { ...page, last_at: new Date(0) };
    const { id } = await engines.db.insertInto("parked").values(values).returning("id").executeTakeFirstOrThrow();
    const [from, to] = [START - 3 * 86_400, START - 1];
    const gap = { stream: "trades", from_at: iso(from), to_at: iso(to), reason: "a page is parked", parked_id: id };
    await engines.db.insertInto("gaps").values(gap).execute();
    const wrong = START - 2 * 86_400 - 3600;
    let isWrong = true;
    const plain = tape("trades");
    const pull: PullConnector["pull"] = async function* (options) {
      const { range } = options;
      if (isWrong && range && range.from <= iso(wrong) && range.to > iso(wrong))
        await engines.db.updateTable("parked").set({ last_at: new Date() }).execute();
      yield* plain.pull(options);
    };
    const ingest = start([{ ...plain, pull }]);
    await expect.poll(async () => (await gaps())[0]?.attempts).toBeGreaterThan(0);
    const [middle, later, end] = [to - 2 * 86_400, to - 86_400, to].map((second) => new Date(second * 1000));
    expect(await gaps()).toMatchObject([
      { filled_at: null, from_at: new Date(from * 1000), to_at: middle, parked_id: id },
      { filled_at: expect.any(Date), from_at: later, to_at: end, reason: gap.reason, parked_id: null },
      { filled_at: expect.any(Date), from_at: middle, to_at: later, reason: gap.reason, parked_id: null },
    ]);
    isWrong = false;
    await engines.db.updateTable("gaps").set({ retry_at: null }).execute();
    await expect.poll(openCount).toBe(0);
    await ingest.stop();
    const { replayed_at } = await engines.db.selectFrom("parked").selectAll().executeTakeFirstOrThrow();
    expect(replayed_at).not.toBeNull();
  });

  test("but not for a stream that cannot backfill: closed gaps are marked unfillable, a lasting one is not", async () => {
    const [from, to, reason] = [new Date(START * 1000), new Date(NOW * 1000), "socket 1: silent"];
    await openGap(engines.db, { stream: "books", from, to, reason }, new Date());
    await openGap(engines.db, { stream: "books", from, reason }, new Date());
    const ingest = start([tape("books", { canBackfill: false })]);
    await expect
      .poll(async () => (await gaps()).map(({ unfillable }) => unfillable))
      .toEqual(["past changes cannot be requested later", null]);
    await ingest.stop();
    expect(await openCount()).toBe(2);
  });
});

test("coalesces thousands of unfillable gaps into a few that are as narrow as possible", async () => {
  const values = Array.from({ length: 3000 }, (_, index) => ({
    stream: "books",
    instrument: `book ${index % 300}`,
    // Thirty bursts of a hundred, an hour apart.
    from_at: iso(START + Math.floor(index / 100) * 3600 + (index % 100)),
    to_at: iso(START + Math.floor(index / 100) * 3600 + (index % 100) + 5),
    reason: "a frame is missing",
    unfillable: "past changes cannot be requested later",
  }));
  await engines.db.insertInto("gaps").values(values).execute();
  await coalesceGaps(engines.db);
  const left = await gaps();
  expect(left.length).toBeLessThan(300);
  expect(left.reduce((sum, { alike }) => sum + alike, 0)).toBe(3000);
  const burst = left.find(({ from_at }) => from_at.toISOString() === iso(START));
  expect(burst).toMatchObject({ to_at: new Date((START + 104) * 1000), alike: 100, instrument: null });
  expect(burst?.reason).toBe("100 gaps, e.g. book 0: a frame is missing");
});

test("gaps of rows being rolled back are neither filled by another walk nor coalesced", async () => {
  const span = { from: new Date((START + 500) * 1000), to: new Date((START + 505) * 1000) };
  for (let index = 0; index < 1500; index += 1) await openUndo(engines.db, { stream: "chain" }, span, new Date());
  await reviveGaps(engines.db, "chain", ["chain", "data"]);
  await coalesceGaps(engines.db);
  const left = await gaps();
  expect(left).toHaveLength(1500);
  expect(new Set(left.map(({ unfillable }) => unfillable))).not.toContain(null);
});

test("deletes filled gaps, replayed pages and notices after ninety days, but nothing open, waiting or referenced", async () => {
  const { db } = engines;
  await db.deleteFrom("notices").execute();
  const [old, fresh] = [new Date(Date.now() - 91 * 86_400_000), new Date(Date.now() - 89 * 86_400_000)];
  const page = { stream: "trades", host: "venue", route: "all", path: "/x", problem: "p", body: "{}", last_at: old };
  const [gone, held, waiting] = await db
    .insertInto("parked")
    .values([{ ...page, replayed_at: old }, { ...page, replayed_at: old }, page])
    .returning("id")
    .execute();
  const gap = { stream: "books", from_at: old, reason: "r", opened_at: old };
  await db
    .insertInto("gaps")
    .values([
      { ...gap, filled_at: old, parked_id: gone?.id },
      { ...gap, filled_at: fresh, parked_id: held?.id },
      { ...gap, filled_at: null },
    ])
    .execute();
  const notice = { stream: "books", kind: "upstream_note", text: "n" };
  await db
    .insertInto("notices")
    .values([
      { ...notice, noticed_at: old },
      { ...notice, noticed_at: fresh },
    ])
    .execute();
  const ingest = start([tape("books", { canBackfill: false })]);
  await expect.poll(async () => (await gaps()).map(({ filled_at }) => filled_at)).toEqual([fresh, null]);
  const notices = () => db.selectFrom("notices").select("noticed_at").execute();
  await expect.poll(notices).toEqual([{ noticed_at: fresh }]);
  await ingest.stop();
  const pages = await db.selectFrom("parked").select("id").orderBy("id").execute();
  expect(pages.map(({ id }) => id)).toEqual([held?.id, waiting?.id]);
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { kalshiTradesStream } from "../../src/connectors/kalshi/trades.ts";
import type { PullConnector } from "../../src/definition/connector.ts";
import { sql } from "../../src/definition/sql.ts";
import type { Clock } from "../../src/ingest/clock.ts";
import { createPark } from "../../src/ingest/control/park-page.ts";
import { createReread } from "../../src/ingest/control/reread.ts";
import { createDeriver } from "../../src/ingest/derive.ts";
import type { ParkedPage } from "../../src/ingest/feed/accept.ts";
import { replayParked, type Replayed, type ReplayOptions } from "../../src/ingest/replay/replay-parked.ts";
import { startIngest } from "../../src/ingest/schedule.ts";
import { createWrite } from "../../src/ingest/write.ts";
import { kalshiTrades } from "../../src/tables/kalshi-trades.ts";
import { openEngines } from "../ingest/open-engines.ts";
import { quickClock } from "../ingest/clocks.ts";

const START = Date.UTC(2026, 10, 20);
const quick: Clock = quickClock(100);
let engines: Awaited<ReturnType<typeof openEngines>>;
let url = "";
let answer: () => unknown = () => ({});
const cutoff = { market_settled_ts: "2026-01-01T00:00:00Z", trades_created_ts: "2026-01-01T00:00:00Z" };
const server = createServer((request, response) => {
  const isCutoff = request.url?.startsWith("/historical/cutoff");
  response.end(JSON.stringify(isCutoff ? cutoff : answer()));
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
  for (const table of ["streams", "gaps", "parked", "notices", "derivations"] as const) {
    await engines.db.deleteFrom(table).execute();
  }
  for (const table of ["kalshi_trades", "kalshi_trades_by_ticker"]) {
    await engines.store.run({ kind: "sql", text: `TRUNCATE TABLE ${table}`, values: [] });
  }
});

const timestampOf = (index: number): string => new Date(START + index * 1000).toISOString();
/** A page of trades, newest first; `wrong` rows have a price of another type. */
function tape(count: number, wrong: readonly number[]) {
  const trades = Array.from({ length: count }, (_, index) => ({
    trade_id: `trade-${index}`,
    ticker: `T${index % 2}`,
    created_time: timestampOf(index),
    count_fp: "1.00",
    yes_price_dollars: wrong.includes(index) ? { dollars: 0.5 } : "0.5000",
    no_price_dollars: "0.5000",
    taker_outcome_side: "yes",
    is_block_trade: false,
  }));
  return { trades: trades.toReversed(), cursor: "" };
}

async function stored(): Promise<string[]> {
  const rows = await engines.store.rows<{ id: string }>(sql`SELECT trade_id AS id FROM kalshi_trades ORDER BY id`);
  return rows.map(({ id }) => id);
}

async function lastTs(): Promise<unknown> {
  const stream = await engines.db.selectFrom("streams").select("cursor").executeTakeFirst();
  return stream?.cursor?.["last_ts"];
}

const parked = () => engines.db.selectFrom("parked").selectAll().orderBy("id").execute();
const gaps = () => engines.db.selectFrom("gaps").selectAll().orderBy("id").execute();

async function gathered(isDone: () => Promise<boolean>, connector: PullConnector = kalshiTradesStream): Promise<void> {
  const ingest = startIngest({
    ...engines,
    connectors: [connector],
    derivations: [],
    settings: { KALSHI_URL: url },
    metrics: new Registry(),
    clock: quick,
    venueNow: () => START + 60_000,
    signal: new AbortController().signal,
  });
  try {
    await expect.poll(isDone).toBe(true);
  } finally {
    await ingest.stop();
  }
}

function replayOptions(more: Partial<ReplayOptions> = {}): ReplayOptions {
  const deriver = createDeriver({ ...engines, derivations: [], clock: quick });
  return {
    ...engines,
    connectors: [kalshiTradesStream],
    write: createWrite({ ...engines, deriver, announceKnown: true }),
    flush: () => deriver.flush(),
    clock: quick,
    signal: new AbortController().signal,
    ...more,
  };
}

async function replayed(options: ReplayOptions): Promise<Replayed[]> {
  const pages: Replayed[] = [];
  for await (const page of replayParked(options)) pages.push(page);
  return pages;
}

const page = (value: unknown, more: Partial<ParkedPage> = {}): ParkedPage => ({
  stream: "kalshi-trades",
  host: "kalshi",
  route: "all",
  path: "/markets/trades?limit=1000",
  problem: "unexpected shape",
  field: "trades[1]",
  sample: "{}",
  body: JSON.stringify(value),
  ...more,
});
const refusedRow = (index: number): NonNullable<ParkedPage["refused"]>[number] => ({
  position: `trades[${index}]`,
  span: { from: START + index * 1000, to: START + index * 1000 },
  key: { trade_id: `trade-${index}` },
  instrument: `T${index % 2}`,
  text: "{}",
});

describe("a page with a malformed row", () => {
  test("stores its valid rows, is parked complete once, and opens a gap at that row's timestamp and market", async () => {
    answer = () => tape(6, [3]);
    await gathered(async () => ((await parked())[0]?.times ?? 0) > 2);
    expect(await stored()).toEqual(["trade-0", "trade-1", "trade-2", "trade-4", "trade-5"]);
    const pages = await parked();
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatchObject({
      stream: "kalshi-trades",
      field: "trades[2].yes_price_dollars",
      sample: '{"dollars":0.5}',
      refused: [{ position: "trades[2]", key: { trade_id: "trade-3" } }],
      replayed_at: null,
    });
    expect(JSON.parse(pages[0]?.body ?? "")).toEqual(tape(6, [3]));
    const open = await gaps();
    expect(open).toHaveLength(1);
    expect(open[0]).toMatchObject({ instrument: "T1", parked_id: pages[0]?.id, filled_at: null });
    expect(open[0]?.from_at).toEqual(new Date(timestampOf(3)));
    expect(open[0]?.reason).toContain("upstream changed: trades[2].yes_price_dollars");
    const notice = await engines.db.selectFrom("notices").selectAll().executeTakeFirstOrThrow();
    expect(notice).toMatchObject({ stream: "kalshi-trades", kind: "upstream_changed" });
    const stream = await engines.db.selectFrom("streams").selectAll().executeTakeFirstOrThrow();
    expect(stream.cursor).toEqual({ last_ts: START / 1000 + 5 });
  });

  test("is settled, and its gap filled, once a later read stores the row", async () => {
    answer = () => tape(6, [3]);
    await gathered(async () => (await parked()).length === 1);
    answer = () => tape(6, []);
    await gathered(async () => (await parked())[0]?.replayed_at !== null);
    expect(await stored()).toHaveLength(6);
    expect((await gaps())[0]?.filled_at).toBeInstanceOf(Date);
  });
});

describe("a page whose shape changed entirely", () => {
  test("leaves the cursor, fails the stream, and has its body parked once with a count of repetitions", async () => {
    answer = () => tape(3, []);
    await gathered(async () => (await lastTs()) === START / 1000 + 2);
    answer = () => ({ fills: [] });
    await gathered(async () => ((await parked())[0]?.times ?? 0) > 1);
    expect(await parked()).toHaveLength(1);
    expect(await gaps()).toEqual([]);
    const stream = await engines.db.selectFrom("streams").selectAll().executeTakeFirstOrThrow();
    expect(stream.cursor).toEqual({ last_ts: START / 1000 + 2 });
    expect(stream.last_error).toContain("changed: trades");
    answer = () => tape(5, []);
    await gathered(async () => (await stored()).length === 5);
  });

  test("is also one with many rows of which none is valid", async () => {
    answer = () => tape(5, [0, 1, 2, 3, 4]);
    await gathered(async () => (await parked()).length === 1);
    expect((await parked())[0]?.refused).toBeNull();
    expect(await gaps()).toEqual([]);
  });
});

describe("replay", () => {
  test("stores a page that became readable, fills its gap, and does nothing the second time", async () => {
    await createPark(engines.db, quick)(page(tape(4, []), { refused: [refusedRow(2)] }));
    expect(await replayed(replayOptions({ isDry: true }))).toMatchObject([{ outcome: "stored", rows: 4 }]);
    expect(await stored()).toEqual([]);
    expect(await replayed(replayOptions())).toMatchObject([{ outcome: "stored", rows: 4, problem: undefined }]);
    expect(await stored()).toHaveLength(4);
    expect((await parked())[0]?.replayed_at).toBeInstanceOf(Date);
    expect((await gaps())[0]?.filled_at).toBeInstanceOf(Date);
    expect(await replayed(replayOptions())).toEqual([]);
  });

  test("leaves a page that is still malformed parked, with its current problem", async () => {
    await createPark(engines.db, quick)(page(tape(4, [1]), { refused: [refusedRow(1), refusedRow(2)] }));
    expect(await replayed(replayOptions())).toMatchObject([{ outcome: "partly", rows: 3 }]);
    const [left] = await parked();
    expect(left).toMatchObject({ replayed_at: null, field: "trades[2].yes_price_dollars" });
    expect(left?.refused).toEqual([{ position: "trades[2]", key: { trade_id: "trade-1" } }]);
    expect((await gaps()).every(({ filled_at }) => filled_at === null)).toBe(true);
  });

  test("repeats a page if interrupted between storing rows and marking it, without duplicates", async () => {
    await createPark(engines.db, quick)(page(tape(4, []), { refused: [refusedRow(2)] }));
    const cut = replayOptions({ flush: () => Promise.reject(new Error("killed")) });
    expect(await replayed(cut)).toMatchObject([{ outcome: "failed", problem: "killed" }]);
    expect(await stored()).toHaveLength(4);
    expect((await gaps())[0]?.filled_at).toBeNull();
    expect(await replayed(replayOptions())).toMatchObject([{ outcome: "stored", rows: 0 }]);
    expect(await stored()).toHaveLength(4);
    expect((await gaps())[0]?.filled_at).toBeInstanceOf(Date);
  });

  test("runs when the service starts", async () => {
    await createPark(engines.db, quick)(page(tape(4, []), { refused: [refusedRow(2)] }));
    answer = () => ({ trades: [], cursor: "" });
    await gathered(async () => (await parked())[0]?.replayed_at !== null);
    expect(await stored()).toHaveLength(4);
  });
});

describe("bounds", () => {
  test("drop the oldest bodies beyond the limit, and keep records, counts and gaps", async () => {
    const bodies = [1, 2, 3].map((count) => page(tape(count, []), { refused: [refusedRow(count)] }));
    const keepBytes = (bodies[1]?.body.length ?? 0) + (bodies[2]?.body.length ?? 0);
    const park = createPark(engines.db, quick, { parkedBytes: keepBytes });
    for (const one of bodies) await park(one);
    const pages = await parked();
    expect(pages.map(({ body }) => body === "")).toEqual([true, false, false]);
    expect(pages[0]?.dropped_at).toBeInstanceOf(Date);
    expect(await gaps()).toHaveLength(3);
    expect(await replayed(replayOptions())).toMatchObject([
      { outcome: "no_body" },
      { outcome: "stored" },
      { outcome: "stored" },
    ]);
    expect((await gaps()).map(({ filled_at }) => filled_at === null)).toEqual([true, false, false]);
  });
});

const minute = (at: number): number => START + at * 60_000;
const unreadable = (from: number, to: number, instruments?: readonly string[]): ParkedPage =>
  page({ markets: "none" }, { missing: { from: minute(from), to: minute(to), ...(instruments && { instruments }) } });

test("an unreadable answer repeated for later calls is missing in each of their spans", async () => {
  const park = createPark(engines.db, quick);
  for (let at = 0; at <= 40; at += 2) await park(unreadable(at - 15, at));
  await park(unreadable(90, 92));
  await park(unreadable(0, 2, ["T1"]));
  expect(await parked()).toMatchObject([{ times: 23 }]);
  const spans = (await gaps()).map(({ instrument, from_at, to_at }) => [
    instrument,
    (from_at.getTime() - START) / 60_000,
    ((to_at?.getTime() ?? 0) - START) / 60_000,
  ]);
  expect(spans).toEqual([
    [null, -15, 40],
    [null, 90, 92],
    ["T1", 0, 2],
  ]);
});

test("a stored row is checked once, however many pages are parked, and settles those that lack it", async () => {
  const park = createPark(engines.db, quick);
  for (let at = 0; at < 60; at += 1) {
    const refused = [0, 1, 2].map((row) => refusedRow(at * 3 + row));
    await park(page({ at }, { refused }));
  }
  let looks = 0;
  const rowOf = (index: number) => ({
    get trade_id() {
      looks += 1;
      return `trade-${index}`;
    },
  });
  const reread = createReread(engines.db, quick, engines.log);
  const store = (indexes: readonly number[]) =>
    reread("kalshi-trades", { table: kalshiTrades, rows: indexes.map(rowOf) });
  await store([90, 91, 1000]);
  expect(looks).toBe(3);
  expect((await parked()).filter(({ replayed_at }) => replayed_at !== null)).toEqual([]);
  await store([92, 95]);
  expect(looks).toBe(5);
  const settled = (await parked()).filter(({ replayed_at }) => replayed_at !== null);
  expect(settled.map(({ body }) => body)).toEqual([JSON.stringify({ at: 30 })]);
});

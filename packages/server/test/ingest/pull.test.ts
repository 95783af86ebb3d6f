import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { definePull, type Batch, type Feed, type PullOptions } from "../../src/definition/connector.ts";
import { sql } from "../../src/definition/sql.ts";
import { runBackfill, type BackfillRun } from "../../src/ingest/backfill.ts";
import { systemClock, type Clock } from "../../src/ingest/clock.ts";
import { openUndo, type Undoer } from "../../src/ingest/control/undo-record.ts";
import { createDeriver } from "../../src/ingest/derive.ts";
import { runPull, type PullRun } from "../../src/ingest/pull.ts";
import { createStreamWatch } from "../../src/ingest/stream-watch.ts";
import type { BackfillProgress } from "../../src/ingest/backfill.ts";
import { createWrite } from "../../src/ingest/write.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { fillRow, minuteCounts } from "./fill-rows.ts";
import { openEngines } from "./open-engines.ts";
import { quickClock } from "./clocks.ts";

const START = Date.UTC(2026, 10, 20) / 1000;
const feed = {} as Feed;
/** Sleeps a hundredth as long. */
const quick: Clock = quickClock(100);
const iso = (second: number): string => new Date(second * 1000).toISOString();

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(async () => engines.close());
beforeEach(async () => {
  for (const table of ["streams", "backfills", "gaps", "notices", "derivations"] as const) {
    await engines.db.deleteFrom(table).execute();
  }
  for (const table of [
    "polymarket_fills",
    "polymarket_fills_by_wallet",
    "polymarket_fills_by_token",
    "polymarket_candles_1m",
  ]) {
    await engines.store.run({ kind: "sql", text: `TRUNCATE TABLE ${table}`, values: [] });
  }
});

/** Pages of ten fills, one per second, from the cursor on; caught up at 50. */
async function* pages({ cursor, range }: PullOptions): AsyncGenerator<Batch, void, void> {
  const end = range ? Date.parse(range.to) / 1000 : START + 50;
  let place = typeof cursor?.["place"] === "number" ? cursor["place"] : range ? Date.parse(range.from) / 1000 : START;
  while (place < end) {
    const rows = Array.from({ length: 10 }, (_, index) => fillRow(place + index, place + index));
    place += 10;
    yield {
      rows: [{ table: polymarketFills, rows }],
      cursor: { place },
      reached: iso(place),
      since: iso(range ? Date.parse(range.from) / 1000 : START),
      ...(place === START + 20
        ? {
            gap: { from: iso(START - 5), to: iso(START), reason: "a page was missing" },
            notices: [{ kind: "repeated_page", text: "the same page twice", count: 1 } as const],
          }
        : {}),
      ...(place >= end && !range ? { isCaughtUp: true } : {}),
    };
  }
}

function connector(pull: (options: PullOptions) => AsyncGenerator<Batch, void, void> = pages) {
  return definePull({
    name: "fills",
    title: "Fills",
    venue: "polymarket",
    host: { name: "venue", setting: "VENUE_URL", limits: {}, share: 1 },
    tables: [polymarketFills],
    everySeconds: 1,
    canBackfill: true,
    pull,
  });
}

function makeRun(change: Partial<PullRun> = {}): PullRun & Pick<BackfillRun, "deriver"> {
  const deriver = createDeriver({ ...engines, derivations: [minuteCounts], clock: quick });
  const write = createWrite({ ...engines, deriver, announceKnown: false });
  return {
    ...engines,
    connector: connector(),
    feed,
    also: {},
    write,
    known: () => Promise.resolve([]),
    clock: quick,
    watch: createStreamWatch("fills"),
    signal: new AbortController().signal,
    deriver,
    ...change,
  };
}

const openGaps = () => engines.db.selectFrom("gaps").selectAll().where("filled_at", "is", null).execute();

async function countFills(): Promise<string> {
  const tables = await engines.store.rows<{ fills: string; ids: string; wallets: string }>(
    sql`SELECT (SELECT count() FROM polymarket_fills) AS fills, (SELECT uniqExact(tx_hash) FROM polymarket_fills) AS ids, (SELECT count() FROM polymarket_fills_by_wallet) AS wallets`,
  );
  return `${tables[0]?.fills} ${tables[0]?.ids} ${tables[0]?.wallets}`;
}

async function runUntil(run: PullRun, isDone: () => boolean | Promise<boolean>): Promise<void> {
  const stop = new AbortController();
  const running = runPull({ ...run, signal: stop.signal });
  try {
    await expect.poll(isDone).toBe(true);
  } finally {
    stop.abort(new Error("stopping"));
    await running;
  }
}

/** Lengths of the pauses if each cycle saves a position and fails. */
const pausesOf = async (isFailing: boolean): Promise<number[]> => {
  const pauses: number[] = [];
  const clock: Clock = {
    ...systemClock,
    sleep: (ms, signal) => {
      pauses.push(ms);
      return systemClock.sleep(1, signal);
    },
  };
  const refused = connector(async function* refused() {
    await Promise.resolve();
    yield { rows: [], cursor: { place: START }, isFailing };
    throw new Error("refused");
  });
  await runUntil(makeRun({ connector: refused, clock }), () => pauses.length >= 12);
  return pauses;
};

describe("pull", () => {
  test("keeps its period when the machine's clock is set back during a cycle", async () => {
    const rests: number[] = [];
    let nowMs = Date.now();
    const clock: Clock = {
      ...systemClock,
      now: () => nowMs,
      sleep: (ms, signal) => {
        rests.push(ms);
        return systemClock.sleep(1, signal);
      },
    };
    const setBack = connector(async function* setBack() {
      await Promise.resolve();
      nowMs -= 3_600_000;
      yield { rows: [], cursor: { place: START }, isCaughtUp: true };
    });
    await runUntil(makeRun({ connector: setBack, clock }), () => rests.length > 0);
    expect(rests[0]).toBeGreaterThan(setBack.everySeconds * 250 - 1);
    expect(rests[0]).toBeLessThanOrEqual(setBack.everySeconds * 750);
  });

  test("stores batches, then saves its position, with notices and gaps", async () => {
    const run = makeRun();
    await runUntil(run, () => run.watch.state === "caught_up");
    expect(await countFills()).toBe("50 50 50");
    const stream = await engines.db.selectFrom("streams").selectAll().executeTakeFirstOrThrow();
    expect(stream).toMatchObject({ name: "fills", cursor: { place: START + 50 }, state: "stopped", rows_stored: 50 });
    expect(stream.reached).toEqual(new Date((START + 50) * 1000));
    expect(stream.since).toEqual(new Date(START * 1000));
    // Rows are days old: the stream was behind.
    expect(stream.late_saves?.map(({ reached }) => reached)).toEqual(
      [10, 20, 30, 40, 50].map((second) => iso(START + second)),
    );
    expect(await engines.db.selectFrom("gaps").select("reason").execute()).toEqual([{ reason: "a page was missing" }]);
    expect(await engines.db.selectFrom("notices").select(["kind", "count"]).execute()).toEqual([
      { kind: "repeated_page", count: 1 },
    ]);
  });

  test("is not behind with rows from just now, nor with a batch without rows", async () => {
    const run = makeRun({ venueNow: () => (START + 40) * 1000 });
    await runUntil(run, () => run.watch.state === "caught_up");
    const again = makeRun({
      connector: connector(async function* nothing() {
        await Promise.resolve();
        yield { rows: [], cursor: { place: START + 50 }, reached: iso(START + 50), isCaughtUp: true };
      }),
    });
    await runUntil(again, () => again.watch.state === "caught_up");
    expect(await engines.db.selectFrom("streams").select("late_saves").execute()).toEqual([{ late_saves: null }]);
  });

  test("a kill between the rows and the cursor leaves the same rows after a rerun", async () => {
    const stop = new AbortController();
    let cycle = 0;
    const first = makeRun({
      write: async (stream, rows) => {
        const inserted = await makeRun().write(stream, rows);
        cycle += 1;
        if (cycle === 3) stop.abort(new Error("killed"));
        if (cycle === 3) throw new Error("killed");
        return inserted;
      },
    });
    await runPull({ ...first, signal: stop.signal });
    expect(await countFills()).toBe("30 30 30");
    const saved = await engines.db.selectFrom("streams").select("cursor").executeTakeFirstOrThrow();
    expect(saved.cursor).toEqual({ place: START + 20 });
    const again = makeRun();
    await runUntil(again, () => again.watch.state === "caught_up");
    expect(await countFills()).toBe("50 50 50");
  });

  test("counts as behind for rows stored by a process that was killed before it saved its position", async () => {
    const stop = new AbortController();
    const { write } = makeRun();
    const first = makeRun({
      write: async (stream, rows) => {
        await write(stream, rows);
        if (rows.rows[0]?.["ts"] === START + 40) stop.abort(new Error("killed"));
        stop.signal.throwIfAborted();
        return { stored: rows.rows.length, known: 0 };
      },
    });
    await runPull({ ...first, signal: stop.signal });
    expect(await countFills()).toBe("50 50 50");
    const again = makeRun();
    await runUntil(again, () => again.watch.state === "caught_up");
    const { late_saves: late, rows_stored: counted } = await engines.db
      .selectFrom("streams")
      .select(["late_saves", "rows_stored"])
      .executeTakeFirstOrThrow();
    expect([counted, late?.at(-1)?.reached]).toEqual([40, iso(START + 50)]);
  });

  test("counts failures of the upstream, waits, and resumes from the saved cursor", async () => {
    const begun: unknown[] = [];
    let failures = 0;
    const run = makeRun({
      connector: connector(async function* failing(options) {
        begun.push(options.cursor?.["place"]);
        for await (const batch of pages(options)) {
          yield batch;
          if (failures < 2) {
            failures += 1;
            throw new Error("the venue is down");
          }
        }
      }),
    });
    await runUntil(run, () => run.watch.state === "caught_up");
    expect(begun.slice(0, 3)).toEqual([undefined, START + 10, START + 20]);
    expect(run.watch).toMatchObject({ errors: 2, lastError: "the venue is down" });
    const stream = await engines.db.selectFrom("streams").selectAll().executeTakeFirstOrThrow();
    expect(stream.last_error).toBe("the venue is down");
    expect(await countFills()).toBe("50 50 50");
  });

  test("reports which cycle resumes from a reloaded cursor, and up to when the previous one may have stored rows", async () => {
    const reported: PullOptions["resumed"][] = [];
    let setBy = 3_600_000;
    const clock: Clock = { ...quick, now: () => quick.now() + setBy };
    const noting = connector(async function* noting({ resumed }) {
      reported.push(resumed);
      yield { rows: [], cursor: { place: START }, isCaughtUp: true };
      await Promise.resolve();
    });
    const failing = connector(async function* failing(options) {
      if (reported.length === 2) {
        reported.push(undefined);
        throw new Error("cut off");
      }
      setBy = reported.length > 2 ? 0 : setBy;
      yield* noting.pull(options);
    });
    const began = Date.now();
    await runUntil(makeRun({ connector: failing, clock }), () => reported.length >= 5);
    expect(reported[0]).toEqual({ storedTo: undefined });
    expect(reported[1]).toBeUndefined();
    expect(reported[3]?.storedTo).toBeGreaterThanOrEqual(began + 3_600_000);
    expect(reported[4]).toBeUndefined();
  });

  test("backs off increasingly if each cycle saves a position but reads nothing", async () => {
    expect(Math.max(...(await pausesOf(true)))).toBeGreaterThan(2000);
    expect(Math.max(...(await pausesOf(false)))).toBeLessThanOrEqual(2000);
  });

  test("ends between batches when aborted", async () => {
    const stop = new AbortController();
    const plain = makeRun();
    const run = makeRun({
      signal: stop.signal,
      write: (stream, rows) => {
        stop.abort(new Error("stopping"));
        return plain.write(stream, rows);
      },
    });
    await runPull(run);
    const stream = await engines.db.selectFrom("streams").selectAll().executeTakeFirstOrThrow();
    expect(stream).toMatchObject({ cursor: { place: START + 10 }, rows_stored: 10, state: "stopped" });
    expect(await countFills()).toBe("10 10 10");
  });
});

/** Opens an undo over ten seconds of rows from `first` on. */
const undone = async (undoer: Omit<Undoer, "stream">, first: number, opened = Date.now() - 60_000): Promise<void> => {
  const span = { from: new Date(first * 1000), to: new Date((first + 10) * 1000) };
  await openUndo(engines.db, { stream: "fills", ...undoer }, span, new Date(opened));
};

describe("backfill", () => {
  const range = { from: iso(START - 100), to: iso(START) };

  test("walks a range with progress, fills its gaps, and a second run finds it done", async () => {
    await engines.db
      .insertInto("gaps")
      .values({ stream: "fills", from_at: iso(START - 90), to_at: iso(START - 80), reason: "down" })
      .execute();
    const seen: BackfillProgress[] = [];
    const run = { ...makeRun(), range, onProgress: (progress: BackfillProgress) => seen.push(progress) };
    expect(await runBackfill(run)).toEqual({ isFinished: true, rows: 100 });
    expect(await countFills()).toBe("100 100 100");
    expect(seen).toHaveLength(10);
    expect(seen.at(-1)).toMatchObject({ rows: 100 });
    const gap = await engines.db.selectFrom("gaps").select("filled_at").executeTakeFirstOrThrow();
    expect(gap.filled_at).toBeInstanceOf(Date);
    expect(await runBackfill(run)).toEqual({ isFinished: true, rows: 100 });
  });

  test("leaves a gap that it detected itself open, and a later backfill over it fills it", async () => {
    const holed = connector(async function* holed(options) {
      for await (const batch of pages(options)) {
        const gap = { from: iso(START - 50), to: iso(START - 40), reason: "the node has no logs" };
        yield batch.cursor["place"] === START - 40 && options.range?.to === range.to ? { ...batch, gap } : batch;
      }
    });
    await runBackfill({ ...makeRun({ connector: holed }), range });
    expect(await openGaps()).toMatchObject([
      { reason: `the node has no logs (seen while backfilling ${range.from} to ${range.to})` },
    ]);
    await runBackfill({ ...makeRun({ connector: holed }), range: { from: range.from, to: iso(START - 10) } });
    expect(await openGaps()).toEqual([]);
  });

  test("closes the undo gaps of its own rows that it stored again, and no others", async () => {
    const other = { from: iso(START - 70), to: iso(START - 20) };
    await undone({ range }, START - 95);
    await undone({ range }, START - 5);
    await undone({ range: other }, START - 60);
    await undone({ range: other }, START + 100);
    await undone({ range: other }, START - 40, Date.now() + 3_600_000);
    await undone({}, START - 80);
    const chain = connector(async function* canonical(options) {
      for await (const batch of pages(options)) {
        yield batch.reached === range.to ? { ...batch, isCanonical: true } : batch;
      }
    });
    await runBackfill({ ...makeRun({ connector: chain }), range });
    const left = (await openGaps()).map(({ from_at }) => from_at.getTime() / 1000 - START);
    expect(left.toSorted((a, b) => a - b)).toEqual([-80, -40, 100]);
  });

  test("repeats the walk of a stream that needs it until a walk finds nothing new, and reports what it found", async () => {
    const walks: (number | undefined)[] = [];
    const skipping = connector(async function* skipping(options) {
      const { walk = 0 } = options;
      walks.push(walk);
      for await (const batch of pages(options)) {
        const isPassedOver = walk < 2 && batch.cursor["place"] === START - 10 * (4 - walk);
        yield isPassedOver ? { ...batch, rows: [] } : batch;
      }
    });
    const walking = { ...skipping, walksAgain: true } as const;
    expect(await runBackfill({ ...makeRun({ connector: walking }), range })).toEqual({ isFinished: true, rows: 100 });
    expect(walks).toEqual([0, 1, 2]);
    expect(await countFills()).toBe("100 100 100");
    const notices = await engines.db.selectFrom("notices").select(["stream", "count"]).execute();
    expect(notices).toEqual([{ stream: "fills", count: 10 }]);
  });

  test("of a range that ends in the future is recorded up to now, and walks the rest once it is past", async () => {
    const venueNow = () => (START - 50) * 1000;
    expect(await runBackfill({ ...makeRun({ venueNow }), range })).toEqual({ isFinished: true, rows: 50 });
    const walked = await engines.db.selectFrom("backfills").selectAll().execute();
    expect(walked).toMatchObject([{ range_from: new Date(range.from), range_to: new Date(iso(START - 50)) }]);
    const ahead = { from: iso(START - 40), to: iso(START) };
    expect(await runBackfill({ ...makeRun({ venueNow }), range: ahead })).toEqual({ isFinished: true, rows: 0 });
    expect(await engines.db.selectFrom("backfills").selectAll().execute()).toHaveLength(1);
    expect(await runBackfill({ ...makeRun(), range })).toEqual({ isFinished: true, rows: 50 });
    expect(await countFills()).toBe("100 100 100");
  });

  test("of a stream whose rows arrive late ends where they have all arrived", async () => {
    const venueNow = () => START * 1000;
    const late = { ...connector(), settleSeconds: 30 };
    expect(await runBackfill({ ...makeRun({ connector: late, venueNow }), range })).toEqual({
      isFinished: true,
      rows: 70,
    });
    const walked = await engines.db.selectFrom("backfills").selectAll().execute();
    expect(walked).toMatchObject([{ range_from: new Date(range.from), range_to: new Date(iso(START - 30)) }]);
  });

  test("of a range that ends where the live stream began is complete, even if venues are ahead of this clock", async () => {
    const venueNow = () => (START - 50) * 1000;
    await engines.db
      .insertInto("streams")
      .values({ name: "fills", since: iso(START - 30), reached: iso(START - 20) })
      .execute();
    const past = { from: range.from, to: iso(START - 30) };
    expect(await runBackfill({ ...makeRun({ venueNow }), range: past })).toEqual({ isFinished: true, rows: 70 });
    const walked = await engines.db.selectFrom("backfills").select("range_to").execute();
    expect(walked).toEqual([{ range_to: new Date(past.to) }]);
  });

  test("resumes where Ctrl-C stopped it, and its derived rows are complete", async () => {
    const stop = new AbortController();
    const cutOff = connector(async function* cutOff(options) {
      for await (const batch of pages(options)) {
        if (batch.cursor["place"] === START - 60) stop.abort(new Error("Ctrl-C"));
        yield batch;
      }
    });
    const cut = await runBackfill({ ...makeRun({ connector: cutOff }), range, signal: stop.signal });
    // The page that arrived during the stop was prefetched, so it is fetched again.
    expect(cut).toEqual({ isFinished: false, rows: 30 });
    const saved = await engines.db.selectFrom("backfills").selectAll().executeTakeFirstOrThrow();
    expect(saved).toMatchObject({ cursor: { place: START - 70 }, rows_stored: 30, finished_at: null });
    expect(await runBackfill({ ...makeRun(), range })).toEqual({ isFinished: true, rows: 100 });
    expect(await countFills()).toBe("100 100 100");
    const minutes = await engines.store.rows<{ trades: string }>(
      sql`SELECT sum(trade_count) AS trades FROM polymarket_candles_1m FINAL`,
    );
    expect(minutes[0]?.trades).toBe("100");
  });

  test("throws a persistent failure with its position saved", async () => {
    const failing = connector(async function* failing(options) {
      let count = 0;
      for await (const batch of pages(options)) {
        yield batch;
        count += 1;
        if (count === 2) throw new Error("gone for good");
      }
    });
    await expect(
      runBackfill({
        ...makeRun({
          connector: connector(async function* once(options) {
            if (options.cursor) throw new Error("gone for good");
            yield* failing.pull(options);
          }),
        }),
        range,
        attempts: 3,
      }),
    ).rejects.toThrow("gone for good");
    const saved = await engines.db.selectFrom("backfills").selectAll().executeTakeFirstOrThrow();
    expect(saved).toMatchObject({ cursor: { place: START - 80 }, rows_stored: 20 });
  });
});

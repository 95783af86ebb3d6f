import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { definePull, defineSocket, type Batch, type Connector } from "../../src/definition/connector.ts";
import type { Requested } from "../../src/definition/coverage.ts";
import { withSave } from "../../src/ingest/control/backfill-record.ts";
import { correctSlowClock } from "../../src/ingest/control/gap-record.ts";
import { saveBatch } from "../../src/ingest/control/save-batch.ts";
import { createCoverage } from "../../src/ingest/coverage/coverage.ts";
import { STAMP_MARGIN_MS } from "../../src/ingest/timestamps.ts";
import type { SavedPlaceJson } from "../../src/records/schema.ts";
import { bookQuotes } from "../../src/tables/book-quotes.ts";
import { kalshiTrades } from "../../src/tables/kalshi-trades.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { polymarketPositionChanges } from "../../src/tables/polymarket-position-changes.ts";
import { polymarketTokens } from "../../src/tables/polymarket-tokens.ts";
import { minuteCounts } from "./fill-rows.ts";
import { openEngines } from "./open-engines.ts";
import { withoutWaits } from "./clocks.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();
const timestamp = (minutes: number): Date => new Date(NOW + minutes * 60_000);

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(async () => engines.close());
beforeEach(async () => {
  for (const table of ["streams", "backfills", "gaps", "derivations", "followed"] as const)
    await engines.db.deleteFrom(table).execute();
});

async function* none(): AsyncGenerator<Batch, void, void> {}

const stream = (name: string, more: Partial<Parameters<typeof definePull>[0]> = {}): Connector =>
  definePull({
    name,
    title: `Stream ${name}`,
    venue: "polymarket",
    host: { name: "venue", setting: "URL", limits: {}, share: 1 },
    tables: [polymarketFills],
    everySeconds: 10,
    canBackfill: true,
    pull: none,
    ...more,
  });

const sockets = defineSocket({
  name: "sockets",
  title: "Sockets",
  venue: "polymarket",
  host: { name: "socket", setting: "WS", limits: {}, share: 1 },
  path: "/",
  tables: [polymarketFills],
  instruments: "active_polymarket_tokens",
  maxInstrumentsPerSocket: 200,
  silentAfterSeconds: 30,
  session: () => {
    throw new Error("nothing is gathered here");
  },
});

function ask(connectors: readonly Connector[], tables: readonly string[], range: Requested = {}) {
  const clock = withoutWaits(() => NOW);
  return createCoverage({ connectors, derivations: [minuteCounts], db: engines.db, clock })(tables, range);
}

async function write(name: string, since: number | null, reached: number, state = "caught_up"): Promise<void> {
  await engines.db
    .insertInto("streams")
    .values({
      name,
      since: since === null ? null : timestamp(since),
      reached: timestamp(reached),
      state,
      updated_at: timestamp(0),
    })
    .execute();
}

const saved = (saves: readonly SavedPlaceJson[], minutes: readonly number[]): readonly SavedPlaceJson[] =>
  minutes.reduce((kept, minute) => withSave(kept, timestamp(minute), at(minute - 500)), saves);
const minutesOf = (saves: readonly SavedPlaceJson[]): number[] =>
  saves.map((save) => (Date.parse(save.at) - NOW) / 60_000);

/** Marks rows stored up to so many minutes from now as derived. */
const derivedBy = async (minutes: number): Promise<void> => {
  await engines.db.deleteFrom("derivations").execute();
  const through = new Date(timestamp(minutes).getTime() - STAMP_MARGIN_MS);
  await engines.db.insertInto("derivations").values({ name: "minute_counts", through }).execute();
};
/** Records a backfill over ten hours of the past that has just finished. */
const walked = (name: string) =>
  engines.db
    .insertInto("backfills")
    .values({
      stream: name,
      range_from: timestamp(-600),
      range_to: timestamp(-60),
      finished_at: timestamp(0),
      updated_at: timestamp(0),
    })
    .execute();
const askDerived = (from: number, to: number, instruments?: readonly string[]) =>
  ask([stream("trades")], ["polymarket_candles_1m"], {
    from: at(from),
    to: at(to),
    ...(instruments ? { instruments } : {}),
  });
const isDerived = async (from: number, to: number): Promise<boolean> => (await askDerived(from, to)).complete;

const HOLE = { stream: "trades", from_at: timestamp(-20), to_at: timestamp(-15), reason: "a hole" };
const FILLS = ["polymarket_fills"];
const TOKENS = ["polymarket_tokens"];

describe("coverage", () => {
  test("does not wait for unresponsive control records: their last known state is returned as incomplete", async () => {
    await write("trades", -60, 0);
    let now = NOW;
    const clock = withoutWaits(() => now);
    const coverageOf = createCoverage({ connectors: [stream("trades")], derivations: [], db: engines.db, clock });
    const requested = { from: at(-30), to: at(-1) };
    expect((await coverageOf(FILLS, requested)).complete).toBe(true);
    now += 1500;
    const held = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const holding = engines.db.transaction().execute(async () => {
      held.resolve();
      await over.promise;
    });
    await held.promise;
    const order: string[] = [];
    const note = (): void => void order.push("records");
    const other = engines.db.selectFrom("streams").select("name").execute().then(note, note);
    const reported = await coverageOf(FILLS, requested);
    order.push("coverage");
    over.resolve();
    await Promise.all([holding, other]);
    expect(order).toEqual(["coverage", "records"]);
    expect(reported).toMatchObject({
      complete: false,
      reasons: [`The control records cannot be read now: this is their state at ${at(0)}.`],
    });
  });

  test("of one venue does not depend on another venue's streams that fill the same table", async () => {
    await write("ours", null, 0);
    const connectors = [stream("ours"), stream("theirs", { venue: "kalshi" })];
    expect((await ask(connectors, FILLS)).complete).toBe(false);
    expect(await ask(connectors, FILLS, { venue: "polymarket" })).toMatchObject({ complete: true, reasons: [] });
    expect((await ask(connectors, FILLS, { venue: "kalshi" })).reasons).toEqual(["Stream theirs: not started yet."]);
  });

  test("of a table does not depend on streams that only add to it", async () => {
    await write("catalogue", null, 0);
    await write("sockets", 0, 0);
    const connectors = [
      stream("catalogue", { tables: [polymarketTokens] }),
      stream("sockets", { addsTo: [polymarketTokens] }),
    ];
    expect((await ask(connectors, TOKENS, { from: at(-600) })).reasons).toEqual([]);
    expect((await ask(connectors, [...TOKENS, ...FILLS], { from: at(-600) })).complete).toBe(false);
  });

  test("is complete when the stream is caught up over the requested range", async () => {
    await write("trades", -60, 0);
    expect(await ask([stream("trades")], FILLS, { from: at(-30) })).toEqual({
      complete: true,
      from: at(-60),
      to: at(0),
      gaps: [],
      reasons: [],
    });
  });

  test("states what is missing before a stream began, in words for callers", async () => {
    await write("trades", -60, 0);
    for (const range of [{}, { from: at(-90) }]) {
      const coverage = await ask([stream("trades")], FILLS, range);
      expect(coverage.complete).toBe(false);
      expect(coverage.reasons).toEqual(["Stream trades: history before 2026-11-20T11:00:00Z is not stored yet."]);
    }
  });

  test("of the entire history is complete if a stream reaches back to its venue's start", async () => {
    await write("trades", -60, 0);
    const clock = withoutWaits(() => NOW);
    const from = async (began: number) => {
      const given = { connectors: [stream("trades")], derivations: [], db: engines.db, clock };
      return (await createCoverage({ ...given, began: () => NOW + began * 60_000 })(FILLS, {})).reasons;
    };
    expect(await from(-60)).toEqual([]);
    expect(await from(-61)).toEqual(["Stream trades: history before 2026-11-20T11:00:00Z is not stored yet."]);
  });

  test("does not need the history of a stream that only refines a table, but waits for its newest rows", async () => {
    await write("trades", null, 0);
    await write("quotes", -5, 0);
    await engines.db
      .insertInto("derivations")
      .values({ name: "minute_counts", through: timestamp(0) })
      .execute();
    const gap = { stream: "quotes", from_at: timestamp(-4), to_at: timestamp(-3), reason: "a hole" };
    await engines.db.insertInto("gaps").values(gap).execute();
    const clock = withoutWaits(() => NOW);
    const connectors = [stream("trades"), stream("quotes", { tables: [bookQuotes] })];
    const derived = { ...minuteCounts, also: [bookQuotes] };
    const reported = () =>
      createCoverage({ connectors, derivations: [derived], db: engines.db, clock })(["polymarket_candles_1m"], {});
    expect(await reported()).toMatchObject({ complete: true, gaps: [], reasons: [], from: null });
    await engines.db
      .updateTable("streams")
      .set({ state: "failing", reached: timestamp(-4) })
      .where("name", "=", "quotes")
      .execute();
    expect((await reported()).reasons).toEqual(["Stream quotes is failing: it holds rows up to 2026-11-20T11:56:00Z."]);
  });

  test("joins finished backfills, and counts an unfinished one up to its progress", async () => {
    await write("trades", -60, 0);
    const range = { stream: "trades", range_from: timestamp(-600), range_to: timestamp(-60) };
    await engines.db
      .insertInto("backfills")
      .values({ ...range, reached: timestamp(-300) })
      .execute();
    const partial = await ask([stream("trades")], FILLS, { from: at(-500) });
    expect(partial.reasons[0]).toContain("is not stored yet; a backfill is running");
    expect((await ask([stream("trades")], FILLS, { from: at(-500), to: at(-400) })).complete).toBe(true);
    await engines.db
      .updateTable("backfills")
      .set({ finished_at: timestamp(0) })
      .execute();
    expect(await ask([stream("trades")], FILLS, { from: at(-600) })).toMatchObject({ complete: true, from: at(-600) });
  });

  test("leaves only the newest time open, not the past, if a stream lags, fails or does not run", async () => {
    const cases = [
      ["running", 0, "is behind"],
      ["failing", 0, "is failing"],
      ["stopped", 0, "is not running"],
    ] as const;
    for (const [state, , words] of cases) {
      await engines.db.deleteFrom("streams").execute();
      await write("trades", -60, -10, state);
      const coverage = await ask([stream("trades")], FILLS, { from: at(-30) });
      expect(coverage).toMatchObject({ complete: false, to: at(-10) });
      expect(coverage.reasons).toEqual([`Stream trades ${words}: it holds rows up to 2026-11-20T11:50:00Z.`]);
      expect((await ask([stream("trades")], FILLS, { from: at(-30), to: at(-20) })).complete).toBe(true);
    }
  });

  test("of one instrument starts when it was first followed, and ignores the gaps of others", async () => {
    await write("sockets", -60, 0);
    await engines.db
      .insertInto("followed")
      .values({ stream: "sockets", instrument: "7", since: timestamp(-30) })
      .execute();
    const gap = {
      stream: "sockets",
      instrument: "8",
      from_at: timestamp(-20),
      to_at: timestamp(-15),
      reason: "a hole",
    };
    await engines.db.insertInto("gaps").values(gap).execute();
    const of = (instrument: string, from: number) =>
      ask([sockets], FILLS, { instruments: [instrument], from: at(from), to: at(-1) });
    expect(await of("7", -25)).toMatchObject({ complete: true, gaps: [], reasons: [] });
    expect((await of("7", -40)).reasons).toEqual([`Sockets: 7 is stored from ${at(-30)} on.`]);
    expect((await of("8", -25)).reasons).toEqual(["Sockets: 8 is not followed.", "1 gap is in the requested range."]);
    expect((await ask([sockets], FILLS, { from: at(-25), to: at(-1) })).gaps).toHaveLength(1);
  });

  test("of an instrument no longer followed ends when it was left, unless its last state is stored", async () => {
    await write("sockets", -60, 0);
    const left = { stream: "sockets", instrument: "7", since: timestamp(-50), left_at: timestamp(-20) };
    await engines.db.insertInto("followed").values(left).execute();
    const of = async (to: number, connector: Connector = sockets) =>
      (await ask([connector], FILLS, { instruments: ["7"], from: at(-40), to: at(to) })).reasons;
    expect(await of(-25)).toEqual([]);
    expect(await of(-15)).toEqual([`Sockets: 7 is stored until ${at(-20)}.`]);
    expect(await of(-15, { ...sockets, compareSeconds: 60 })).toEqual([]);
  });

  test("of an instrument starts later once its start, taken from a slow clock, is corrected", async () => {
    await write("sockets", -60, 0);
    await engines.db
      .insertInto("followed")
      .values({ stream: "sockets", instrument: "7", since: timestamp(-30) })
      .execute();
    let now = NOW;
    const coverageOf = createCoverage({
      connectors: [{ ...sockets, compareSeconds: 60 }],
      derivations: [],
      db: engines.db,
      clock: withoutWaits(() => now),
    });
    const range = { instruments: ["7"], from: at(-25), to: at(-1) };
    expect((await coverageOf(FILLS, range)).complete).toBe(true);
    await correctSlowClock(engines.db, "sockets", { byMs: 600_000, until: NOW });
    now += 1000;
    expect((await coverageOf(FILLS, range)).reasons).toEqual([`Sockets: 7 is stored from ${at(-20)} on.`]);
  });

  test("is incomplete while a gap in the requested range is unfilled; gaps elsewhere do not count", async () => {
    await write("trades", -60, 0);
    await engines.db
      .insertInto("gaps")
      .values({
        stream: "trades",
        from_at: timestamp(-20),
        to_at: timestamp(-15),
        reason: "the feed did not reach back",
      })
      .execute();
    expect(await ask([stream("trades")], FILLS, { from: at(-30) })).toMatchObject({
      complete: false,
      gaps: [{ from: at(-20), to: at(-15), reason: "the feed did not reach back" }],
      reasons: ["1 gap is in the requested range."],
    });
    expect((await ask([stream("trades")], FILLS, { from: at(-10) })).complete).toBe(true);
    await engines.db
      .updateTable("gaps")
      .set({ filled_at: timestamp(0) })
      .execute();
    expect((await ask([stream("trades")], FILLS, { from: at(-30) })).complete).toBe(true);
  });

  test("of a page walk treats a gap filled since the walk began as open, unless the gap lies after its start", async () => {
    await write("trades", -60, 0);
    await engines.db
      .insertInto("gaps")
      .values({ ...HOLE, filled_at: timestamp(-2) })
      .execute();
    const walk = (began: number, from = -30) => ask([stream("trades")], FILLS, { from: at(from), began: at(began) });
    expect(await walk(-5)).toMatchObject({
      complete: false,
      gaps: [{ from: at(-20), to: at(-15), reason: "a hole; filled after this walk began" }],
      reasons: [
        "1 gap in the requested range was filled after this walk began: its rows are omitted; start again without a cursor.",
      ],
    });
    expect((await walk(-5, -10)).complete).toBe(true);
    expect((await walk(-1)).complete).toBe(true);
    expect((await walk(-25)).complete).toBe(true);
  });

  test("is decided by the slowest of several streams; one that has not begun leaves it open", async () => {
    await write("trades", -60, 0);
    await write("missing", null, -1);
    const both = [stream("trades"), stream("missing", { everySeconds: 60 })];
    expect(await ask(both, FILLS, { from: at(-30) })).toMatchObject({ complete: true, from: at(-60), to: at(-1) });
    const third = await ask([...both, stream("new")], FILLS, { from: at(-30) });
    expect(third).toMatchObject({ complete: false, to: null, reasons: ["Stream new: not started yet."] });
  });

  test("does not count a quiet, just caught-up stream as behind, nor wait for one that only adds to others", async () => {
    await write("trades", -60, -20);
    await engines.db
      .updateTable("streams")
      .set({ last_ok_at: timestamp(0) })
      .execute();
    await engines.db
      .insertInto("streams")
      .values({ name: "extra", state: "caught_up", last_ok_at: timestamp(0) })
      .execute();
    const both = [stream("trades"), stream("extra")];
    expect(await ask(both, FILLS, { from: at(-30) })).toMatchObject({ complete: true, to: at(-20), reasons: [] });
  });

  test("counts a replaced stream's history for its replacement, and ignores a stream that is off", async () => {
    await write("data", -600, -30, "replaced");
    await write("chain", -40, 0);
    await engines.db.insertInto("streams").values({ name: "extra", state: "off" }).execute();
    const connectors = [stream("data", { replacedBy: "chain" }), stream("chain"), stream("extra")];
    expect(await ask(connectors, FILLS, { from: at(-500) })).toMatchObject({ complete: true, from: at(-600) });
  });

  test("is missing for a venue whose only stream is off and for a table that no stream fills", async () => {
    await write("trades", -60, 0);
    await engines.db.insertInto("streams").values({ name: "other", state: "off" }).execute();
    const needs = { settings: ["KALSHI_KEY_ID"], adds: "more" };
    const other = stream("other", { venue: "kalshi", tables: [kalshiTrades, polymarketFills], needs });
    const coverage = await ask([stream("trades"), other], [...FILLS, "nowhere"], { from: at(-30) });
    expect(coverage.reasons).toEqual(["No stream fills nowhere.", "Stream other: not collected by this service."]);
  });

  test("is missing for a table whose only stream is off, though others of its venue are on", async () => {
    await write("trades", -60, 0);
    await engines.db.insertInto("streams").values({ name: "splits", state: "off" }).execute();
    const needs = { settings: ["POLYGON_RPC_URL"], adds: "more" };
    const splits = stream("splits", { tables: [polymarketPositionChanges], needs });
    const tables = [...FILLS, "polymarket_position_changes"];
    const reported = ["Stream splits: not collected by this service."];
    expect((await ask([stream("trades"), splits], tables, { from: at(-30) })).reasons).toEqual(reported);
    expect((await ask([stream("trades"), splits], FILLS, { from: at(-30) })).reasons).toEqual([]);
    await write("all", -60, 0);
    const all = stream("all", { tables: [polymarketPositionChanges] });
    expect((await ask([stream("trades"), splits, all], tables, { from: at(-30) })).reasons).toEqual([]);
  });

  test("is complete for a range after the newest row of a stream whose lag is within its allowance", async () => {
    await write("trades", -3600, -20);
    await engines.db
      .updateTable("streams")
      .set({ last_ok_at: timestamp(0) })
      .execute();
    expect((await ask([stream("trades")], FILLS, { from: at(-10) })).reasons).toEqual([]);
    expect((await ask([stream("trades")], FILLS, { from: at(-4000) })).complete).toBe(false);
  });

  test("of a derived table is as complete as its source once it is derived", async () => {
    await write("trades", -60, 0);
    const derived = ["polymarket_candles_1m"];
    expect((await ask([stream("trades")], derived, { from: at(-30) })).reasons).toEqual([
      "Fills by minute: not derived yet.",
    ]);
    await engines.db
      .insertInto("derivations")
      .values({ name: "minute_counts", through: timestamp(-5) })
      .execute();
    expect((await ask([stream("trades")], derived, { from: at(-30) })).complete).toBe(false);
    expect((await ask([stream("trades")], derived, { from: at(-30), to: at(-10) })).complete).toBe(true);
    await engines.db
      .updateTable("derivations")
      .set({ through: timestamp(0) })
      .execute();
    expect((await ask([stream("trades")], derived, { from: at(-30) })).complete).toBe(true);
  });

  test("of backfilled history waits for its derivation, though the newest rows may lag by a minute", async () => {
    await write("trades", -60, 0);
    await derivedBy(-5);
    await engines.db
      .insertInto("backfills")
      .values({
        stream: "trades",
        range_from: timestamp(-600),
        range_to: timestamp(-60),
        finished_at: timestamp(-2),
        updated_at: timestamp(-2),
      })
      .execute();
    const through = new Date(timestamp(-5).getTime() - STAMP_MARGIN_MS).toISOString();
    expect((await askDerived(-500, -400)).reasons).toEqual([
      `Fills by minute: derived from rows stored up to ${through}.`,
    ]);
    expect(await isDerived(-30, -10)).toBe(true);
    await derivedBy(-1.5);
    expect(await isDerived(-500, -400)).toBe(true);
    await engines.db
      .updateTable("backfills")
      .set({ updated_at: timestamp(-0.1) })
      .execute();
    await derivedBy(-0.2);
    expect(await isDerived(-500, -400)).toBe(false);
    expect(await isDerived(-30, 0)).toBe(true);
    await derivedBy(-0.1);
    expect(await isDerived(-500, -400)).toBe(true);
  });

  test("does not count a derivation as behind because of a backfill of tables it does not read", async () => {
    const connectors = [stream("trades"), stream("catalogue", { tables: [polymarketTokens] })];
    for (const { name } of connectors) await write(name, -60, 0);
    await derivedBy(-1.5);
    const requested = () => ask(connectors, ["polymarket_candles_1m", ...TOKENS], { from: at(-500), to: at(-400) });
    await walked("catalogue");
    const ofTrades = expect.stringContaining("Fills by minute");
    expect((await requested()).reasons).not.toContainEqual(ofTrades);
    await walked("trades");
    expect((await requested()).reasons).toContainEqual(ofTrades);
    await derivedBy(0);
    expect((await requested()).reasons).toEqual([]);
  });

  test("of a running backfill includes the part stored before the derivation's watermark", async () => {
    await write("trades", -60, 0);
    const saves = [
      { at: at(-2), reached: at(-450) },
      { at: at(-1), reached: at(-400) },
    ];
    const range = { stream: "trades", range_from: timestamp(-600), range_to: timestamp(-60) };
    await engines.db
      .insertInto("backfills")
      .values({ ...range, reached: timestamp(-300), updated_at: timestamp(0), saves: JSON.stringify(saves) })
      .execute();
    await derivedBy(-0.5);
    expect([await isDerived(-600, -410), await isDerived(-600, -390)]).toEqual([true, false]);
    await derivedBy(-1.5);
    expect([await isDerived(-600, -460), await isDerived(-600, -410)]).toEqual([true, false]);
    await derivedBy(-3);
    expect([await isDerived(-600, -590), await isDerived(-30, -10)]).toEqual([false, true]);
    await derivedBy(0);
    expect([await isDerived(-600, -310), await isDerived(-600, -290)]).toEqual([true, false]);
  });

  test("of rows stored while the stream was behind is not complete until they are derived", async () => {
    const save = (minutes: number, reached: number, isLate: boolean): Promise<void> =>
      saveBatch(
        engines.db,
        "trades",
        { rows: [], cursor: {}, reached: at(reached), since: at(-600), isCaughtUp: !isLate },
        1,
        timestamp(minutes),
        isLate,
      );
    await save(-180, -180, false);
    await save(-0.8, -120, true);
    await save(-0.6, -60, true);
    await save(-0.4, -0.5, false);
    await derivedBy(-0.7);
    expect([await isDerived(-600, -121), await isDerived(-110, -90), await isDerived(-50, 0)]).toEqual([
      true,
      false,
      true,
    ]);
    await derivedBy(-0.82);
    expect([await isDerived(-600, -181), await isDerived(-170, -130), await isDerived(-50, 0)]).toEqual([
      true,
      false,
      true,
    ]);
    await derivedBy(-0.6);
    expect(await isDerived(-600, 0)).toBe(true);
    expect((await ask([stream("trades")], FILLS, { from: at(-600) })).complete).toBe(true);
  });

  test("is not complete over a recently filled gap until its rows are derived", async () => {
    await write("trades", -60, 0);
    await engines.db
      .insertInto("gaps")
      .values({ ...HOLE, filled_at: timestamp(-0.1) })
      .execute();
    await derivedBy(-0.5);
    expect([await isDerived(-30, -10), await isDerived(-14, 0)]).toEqual([false, true]);
    await engines.db.updateTable("gaps").set({ instrument: "7" }).execute();
    expect((await askDerived(-30, -10, ["7"])).complete).toBe(false);
    expect((await askDerived(-30, -10, ["8"])).complete).toBe(true);
    expect((await ask([stream("trades")], FILLS, { from: at(-30) })).complete).toBe(true);
    await derivedBy(-0.1);
    expect(await isDerived(-30, -10)).toBe(true);
  });
});

test("keeps the save points of a walk that a derivation needs, and the last one before them", () => {
  expect(minutesOf(saved([], [-9, -8, -7, -6, -6]))).toEqual([-8, -7, -6]);
  expect(minutesOf(saved([], [-9, -2]))).toEqual([-9, -2]);
  expect(saved([], [-9])).toEqual([{ at: at(-9), reached: at(-509) }]);
  const many = Array.from({ length: 500 }, (_, index) => index / 600);
  expect(minutesOf(saved([], many)).length).toBeLessThanOrEqual(61);
});

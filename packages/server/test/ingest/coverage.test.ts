import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { definePull, defineSocket, type Batch, type Connector } from "../../src/definition/connector.ts";
import type { Requested } from "../../src/definition/coverage.ts";
import { withSave } from "../../src/ingest/control/backfill-record.ts";
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

/** The derivation has what was stored by so many minutes from now. */
const derivedBy = async (minutes: number): Promise<void> => {
  await engines.db.deleteFrom("derivations").execute();
  const through = new Date(timestamp(minutes).getTime() - STAMP_MARGIN_MS);
  await engines.db.insertInto("derivations").values({ name: "minute_counts", through }).execute();
};
/** A walk over ten hours of the past has just ended. */
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
  test("does not wait for records that are silent: what they said last is told, as incomplete", async () => {
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

  test("of one venue does not hang on another's streams that fill the same table", async () => {
    await write("ours", null, 0);
    const connectors = [stream("ours"), stream("theirs", { venue: "kalshi" })];
    expect((await ask(connectors, FILLS)).complete).toBe(false);
    expect(await ask(connectors, FILLS, { venue: "polymarket" })).toMatchObject({ complete: true, reasons: [] });
    expect((await ask(connectors, FILLS, { venue: "kalshi" })).reasons).toEqual(["Stream theirs: not started yet."]);
  });

  test("of a table does not hang on streams that only add to it", async () => {
    await write("catalogue", null, 0);
    await write("sockets", 0, 0);
    const connectors = [
      stream("catalogue", { tables: [polymarketTokens] }),
      stream("sockets", { addsTo: [polymarketTokens] }),
    ];
    expect((await ask(connectors, TOKENS, { from: at(-600) })).reasons).toEqual([]);
    expect((await ask(connectors, [...TOKENS, ...FILLS], { from: at(-600) })).complete).toBe(false);
  });

  test("is complete when the stream is caught up over the asked range", async () => {
    await write("trades", -60, 0);
    expect(await ask([stream("trades")], FILLS, { from: at(-30) })).toEqual({
      complete: true,
      from: at(-60),
      to: at(0),
      gaps: [],
      reasons: [],
    });
  });

  test("says what is missing before a stream began, in words for callers", async () => {
    await write("trades", -60, 0);
    for (const range of [{}, { from: at(-90) }]) {
      const coverage = await ask([stream("trades")], FILLS, range);
      expect(coverage.complete).toBe(false);
      expect(coverage.reasons).toEqual(["Stream trades: history before 2026-11-20T11:00:00Z is not stored yet."]);
    }
  });

  test("of all the past is complete where a stream reaches back to when its venue began", async () => {
    await write("trades", -60, 0);
    const clock = withoutWaits(() => NOW);
    const from = async (began: number) => {
      const given = { connectors: [stream("trades")], derivations: [], db: engines.db, clock };
      return (await createCoverage({ ...given, began: () => NOW + began * 60_000 })(FILLS, {})).reasons;
    };
    expect(await from(-60)).toEqual([]);
    expect(await from(-61)).toEqual(["Stream trades: history before 2026-11-20T11:00:00Z is not stored yet."]);
  });

  test("of what a stream only makes finer lacks nothing of its past, but waits for it", async () => {
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

  test("joins finished backfills, and counts an unfinished one as far as it got", async () => {
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

  test("a stream that lags, fails or does not run leaves the newest open, not the past", async () => {
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

  test("of one instrument: not held before it was first followed, and gaps of others do not count", async () => {
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

  test("of an instrument that was left: not held from then on, unless its last state is stored", async () => {
    await write("sockets", -60, 0);
    const left = { stream: "sockets", instrument: "7", since: timestamp(-50), left_at: timestamp(-20) };
    await engines.db.insertInto("followed").values(left).execute();
    const of = async (to: number, connector: Connector = sockets) =>
      (await ask([connector], FILLS, { instruments: ["7"], from: at(-40), to: at(to) })).reasons;
    expect(await of(-25)).toEqual([]);
    expect(await of(-15)).toEqual([`Sockets: 7 is stored until ${at(-20)}.`]);
    expect(await of(-15, { ...sockets, compareSeconds: 60 })).toEqual([]);
  });

  test("a gap in the asked time makes it incomplete until filled; one elsewhere does not", async () => {
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

  test("of a walk: a gap that was filled since it began is open to it, one of what came after it is not", async () => {
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

  test("the slowest of several streams decides; one that has not begun leaves it open", async () => {
    await write("trades", -60, 0);
    await write("missing", null, -1);
    const both = [stream("trades"), stream("missing", { everySeconds: 60 })];
    expect(await ask(both, FILLS, { from: at(-30) })).toMatchObject({ complete: true, from: at(-60), to: at(-1) });
    const third = await ask([...both, stream("new")], FILLS, { from: at(-30) });
    expect(third).toMatchObject({ complete: false, to: null, reasons: ["Stream new: not started yet."] });
  });

  test("a quiet stream that was just caught up is not behind; one that only adds to others is not waited for", async () => {
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

  test("a replaced stream's past counts for the one that replaced it; one that is off does not count", async () => {
    await write("data", -600, -30, "replaced");
    await write("chain", -40, 0);
    await engines.db.insertInto("streams").values({ name: "extra", state: "off" }).execute();
    const connectors = [stream("data", { replacedBy: "chain" }), stream("chain"), stream("extra")];
    expect(await ask(connectors, FILLS, { from: at(-500) })).toMatchObject({ complete: true, from: at(-600) });
  });

  test("a venue whose only stream is off is missing, and so is a table that nothing fills", async () => {
    await write("trades", -60, 0);
    await engines.db.insertInto("streams").values({ name: "other", state: "off" }).execute();
    const needs = { settings: ["KALSHI_KEY_ID"], adds: "more" };
    const other = stream("other", { venue: "kalshi", tables: [kalshiTrades, polymarketFills], needs });
    const coverage = await ask([stream("trades"), other], [...FILLS, "nowhere"], { from: at(-30) });
    expect(coverage.reasons).toEqual(["No stream fills nowhere.", "Stream other: not collected by this service."]);
  });

  test("a table whose only stream is off is missing, though others of its venue are on", async () => {
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

  test("what begins after the newest row of a stream that lags as it may is complete", async () => {
    await write("trades", -3600, -20);
    await engines.db
      .updateTable("streams")
      .set({ last_ok_at: timestamp(0) })
      .execute();
    expect((await ask([stream("trades")], FILLS, { from: at(-10) })).reasons).toEqual([]);
    expect((await ask([stream("trades")], FILLS, { from: at(-4000) })).complete).toBe(false);
  });

  test("a derived table is as complete as its source, once it is worked out", async () => {
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

  test("a past that a backfill stored since is not complete until it is worked out, where the newest rows may be a minute behind", async () => {
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

  test("a derivation is not behind with what a walk stores that it does not work on", async () => {
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

  test("of a walk that goes on it has the part that was stored by when it is worked out", async () => {
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

  test("what a stream brought while it was behind is not complete until it is worked out", async () => {
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

  test("a gap that was filled since is not complete until its rows are worked out", async () => {
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

test("of a walk's saves those are kept that a derivation asks for, and the last one before", () => {
  expect(minutesOf(saved([], [-9, -8, -7, -6, -6]))).toEqual([-8, -7, -6]);
  expect(minutesOf(saved([], [-9, -2]))).toEqual([-9, -2]);
  expect(saved([], [-9])).toEqual([{ at: at(-9), reached: at(-509) }]);
  const many = Array.from({ length: 500 }, (_, index) => index / 600);
  expect(minutesOf(saved([], many)).length).toBeLessThanOrEqual(61);
});

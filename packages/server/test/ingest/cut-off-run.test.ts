import { openCheckpointFolder } from "../../src/ingest/fold/checkpoints.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { defineDaysDerivation, type DaysDerivation } from "../../src/definition/day-derivation.ts";
import type { Fold } from "../../src/definition/fold.ts";
import { sql } from "../../src/definition/sql.ts";
import { findDerivedThrough, findUnfinished, saveUnfinished } from "../../src/ingest/control/derivation-record.ts";
import { deriveChangedDays } from "../../src/ingest/day/derive-days-regularly.ts";
import { rebuildFold } from "../../src/ingest/fold/rebuild-fold.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { walletScores } from "../../src/tables/wallet-scores.ts";
import { eachDayApart } from "../fixtures/each-day-apart.ts";
import { sharesFold } from "../fold/shares-fold.ts";
import { fillRow } from "./fill-rows.ts";
import { manualClock } from "./manual-clock.ts";
import { openEngines } from "./open-engines.ts";

const NOW = "2026-05-20T12:00:00.000Z";
const LATER = "2026-05-21T12:00:00.000Z";
/** Start of a run, less the margin for rows in flight. */
const BEGAN = "2026-05-20T11:59:50.000Z";
const DAYS = ["2026-05-18", "2026-05-19", "2026-05-20"];
const WALLETS = ["0x10", "0x5f", "0x90", "0xf0"].map((first) => first.padEnd(42, "0"));

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeEach(async () => (engines = await openEngines()));
afterEach(() => engines.close());

const checkpoints = openCheckpointFolder();

const runAt = (now: string, signal = new AbortController().signal) => ({
  ...engines,
  checkpoints,
  clock: manualClock(Date.parse(now)),
  signal,
});

const throughOf = async (name: string): Promise<string | undefined> =>
  (await findDerivedThrough(engines.db, name))?.toISOString();

/** Derives three days; records which were begun, and fails at one. */
function threeDays(begun: string[], fails?: string): DaysDerivation {
  return defineDaysDerivation({
    name: "three days",
    title: "Three days",
    from: [],
    into: walletScores,
    after: [],
    touched: () => sql`SELECT toString(toDate('2026-05-20') - number) AS day FROM numbers(3)`,
    ...eachDayApart((day) => {
      begun.push(day);
      if (day === fails) throw new Error(`no ${fails}`);
    }),
  });
}

async function makeDays(now: string, isWhole: boolean, fails?: string): Promise<string[]> {
  const begun: string[] = [];
  await deriveChangedDays(threeDays(begun, fails), isWhole, runAt(now)).catch((error: unknown) =>
    expect(String(error)).toBe(`Error: no ${fails}`),
  );
  return begun;
}

test("an interrupted run over all days resumes with the remaining days and counts from its start", async () => {
  expect(await makeDays(NOW, true, DAYS[1])).toEqual(DAYS.slice(0, 2));
  expect(await throughOf("three days")).toBeUndefined();
  expect(await findUnfinished(engines.db, "three days")).toEqual({ began: BEGAN, days: [DAYS[0]] });
  expect(await makeDays(LATER, false)).toEqual(DAYS.slice(1));
  expect(await throughOf("three days")).toBe(BEGAN);
  expect(await findUnfinished(engines.db, "three days")).toBeUndefined();
});

test("a run that starts from scratch discards the progress of an interrupted one immediately", async () => {
  await makeDays(NOW, true, DAYS[2]);
  expect(await makeDays(LATER, true, DAYS[0])).toEqual(DAYS.slice(0, 1));
  expect((await findUnfinished(engines.db, "three days"))?.days).toEqual([]);
  expect(await makeDays(LATER, true)).toEqual(DAYS);
});

const made = async (): Promise<string[]> =>
  (
    await engines.store.rows<{ wallet: string }>(
      sql`SELECT DISTINCT concat('0x', lower(hex(wallet))) AS wallet FROM wallet_days FINAL WHERE NOT is_gone ORDER BY wallet`,
    )
  ).map(({ wallet }) => wallet);

async function cutOffFold(fold: Fold): Promise<void> {
  const stop = new AbortController();
  stop.abort(new Error("stop"));
  await expect(rebuildFold(fold, true, runAt(NOW, stop.signal))).rejects.toThrow("stop");
}

test("an interrupted fold resumes after its last complete range and keeps the days it had closed", async () => {
  const second = Date.parse("2026-05-18T00:00:00Z") / 1000;
  const fills = WALLETS.map((wallet, index) => ({ ...fillRow(index + 1, second), wallet }));
  await engines.store.insert(polymarketFills, fills);
  await cutOffFold(sharesFold);
  const ranges = { closed: DAYS[0] ?? "", done: 0, of: 1 };
  expect(await findUnfinished(engines.db, "shares")).toEqual({ began: BEGAN, ranges });

  const half = { began: BEGAN, ranges: { ...ranges, done: 1, of: 2 } };
  await saveUnfinished(engines.db, "shares", half, new Date(NOW));
  await rebuildFold(sharesFold, false, runAt(LATER));
  expect(await made()).toEqual(WALLETS.slice(2));
  expect(await throughOf("shares")).toBe(BEGAN);
  expect(await throughOf("shares:closed")).toBe("2026-05-18T00:00:00.000Z");
  expect(await findUnfinished(engines.db, "shares")).toBeUndefined();

  await saveUnfinished(engines.db, "shares", half, new Date(NOW));
  await rebuildFold(sharesFold, true, runAt(LATER));
  expect(await made()).toEqual(WALLETS);
});

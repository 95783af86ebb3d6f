import { beforeEach, expect, test } from "vitest";
import { type BackfillRange, finishBackfill, openBackfill, seenBy } from "../../src/ingest/control/backfill-record.ts";
import { findFillable } from "../../src/ingest/control/fill-record.ts";
import { saveBackfillBatches } from "../../src/ingest/control/save-batch.ts";
import { coalesceGaps } from "../../src/ingest/gaps/coalesce-gaps.ts";
import { fileRecords } from "../records/file-records.ts";

const NOW = new Date("2026-11-01T12:00:00Z");
const RANGE = { stream: "trades", from: "2026-10-01T00:00:00.000Z", to: "2026-10-31T00:00:00.000Z" };
const HOLE = {
  from: "2026-10-01T00:00:00.000Z",
  to: "2026-10-02T00:00:00.000Z",
  reason: "the venue has no older rows",
};

const records = fileRecords();
beforeEach(async () => {
  for (const table of ["gaps", "backfills"] as const) await records.db.deleteFrom(table).execute();
});

const openGaps = () => records.db.selectFrom("gaps").selectAll().where("filled_at", "is", null).execute();
const findHole = async (range: BackfillRange): Promise<void> => {
  await openBackfill(records.db, range, NOW);
  await saveBackfillBatches(records.db, range, [{ batch: { rows: [], cursor: {}, gap: HOLE }, stored: 0 }], NOW);
};

test("a backfill does not fill the gap that it found, even if a walk for that gap found it again meanwhile", async () => {
  const { db } = records;
  await findHole(RANGE);
  const walk = { ...RANGE, gaps: await findFillable(db, NOW) };
  await findHole(walk);
  await finishBackfill(db, walk, NOW);
  expect(await openGaps()).toMatchObject([{ from_at: new Date(HOLE.from), tried: ["trades"] }]);
  await finishBackfill(db, RANGE, NOW);
  expect(await openGaps()).toMatchObject([{ from_at: new Date(HOLE.from), to_at: new Date(HOLE.to) }]);
});

test("a backfill fills the gaps that others left, and none that it found, after both were coalesced", async () => {
  const { db } = records;
  const first = Date.parse(RANGE.from);
  const values = Array.from({ length: 3000 }, (_, index) => ({
    stream: RANGE.stream,
    from_at: new Date(first + index * 60_000),
    to_at: new Date(first + index * 60_000 + 1000),
    reason: `rows are missing${index % 2 === 0 ? "" : seenBy(RANGE)}`,
    unfillable: "trades does not have it",
  }));
  await db.insertInto("gaps").values(values).execute();
  await coalesceGaps(db);
  expect((await openGaps()).length).toBeLessThan(1000);
  await finishBackfill(db, RANGE, NOW);
  const left = await openGaps();
  expect(left.reduce((sum, { alike }) => sum + alike, 0)).toBe(1500);
  expect(left.every(({ reason }) => reason.endsWith(seenBy(RANGE)))).toBe(true);
});

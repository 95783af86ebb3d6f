import { sql } from "kysely";
import { expect, test } from "vitest";
import { closeUndo, findOpenUndo, findUndoneSince, openUndo } from "../../src/ingest/control/undo-record.ts";
import { fileRecords } from "../records/file-records.ts";

const MANY = 10_050;
const NOW = new Date("2026-11-01T12:00:00Z");

const records = fileRecords();

test("finds every span of rolled-back rows, however many there are", async () => {
  const { db } = records;
  const undoer = { stream: "fills" };
  await openUndo(db, undoer, { from: new Date(NOW.getTime() - 60_000), to: NOW }, NOW);
  await sql`INSERT INTO gaps (stream, from_at, to_at, reason, unfillable, opened_at)
    SELECT stream, from_at, to_at, reason, unfillable, opened_at FROM gaps CROSS JOIN generate_series(2, ${MANY}::int)`.execute(
    db,
  );
  expect(await findOpenUndo(db, undoer)).toHaveLength(MANY);
  expect(await findUndoneSince(db, NOW)).toHaveLength(MANY);
  await closeUndo(db, undoer, new Date(NOW.getTime() + 1000));
  expect(await findOpenUndo(db, undoer)).toEqual([]);
  expect(await findUndoneSince(db, new Date(NOW.getTime() + 500))).toHaveLength(MANY);
});

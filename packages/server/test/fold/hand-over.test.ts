import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/ingest/clock.ts";
import { findDerivedThrough, saveDerivedThrough } from "../../src/ingest/control/derivation-record.ts";
import { createHandOver } from "../../src/ingest/fold/fold-queue.ts";
import type { Records } from "../../src/records/records.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { openTestRecords } from "../fixtures/worker-records.ts";
import { sharesFold } from "./shares-fold.ts";

let records: Records;
beforeAll(async () => {
  records = await openTestRecords();
});
afterAll(() => records.close());

test("rows stored while a fold's watermark is lowered lower it again", async () => {
  const { db } = records;
  const handOver = createHandOver(sharesFold, { db, clock: systemClock });
  const folded = async (): Promise<Date> => {
    const through = new Date(Date.now() + 60_000);
    await saveDerivedThrough(db, sharesFold.name, through, new Date());
    return through;
  };
  const through = await folded();
  handOver.begin(polymarketFills)([]);
  const announce = handOver.begin(polymarketFills);
  const saving = handOver.save();
  announce([]);
  await saving;
  expect((await findDerivedThrough(db, sharesFold.name))?.getTime()).toBeLessThan(through.getTime());
  // The folding process looked for rows right after that, before the later ones were readable.
  const again = await folded();
  await handOver.save();
  expect((await findDerivedThrough(db, sharesFold.name))?.getTime()).toBeLessThan(again.getTime());
});

import { expect, test } from "vitest";
import { pino } from "pino";
import { systemClock } from "../../src/ingest/clock.ts";
import { tryToLead } from "../../src/ingest/leader/lead.ts";
import { fileRecords } from "../records/file-records.ts";

const records = fileRecords();

test("a lease counts from before its request: however late the records answer, no other process leads meanwhile", async () => {
  let now = 0;
  let looks = 0;
  // The first reading is before the request to the records, which takes forty seconds.
  const monotonicMs = (): number => (looks++ === 0 ? 0 : now);
  now = 40_000;
  const led = await tryToLead({
    db: records.db,
    label: "one",
    seconds: 100,
    clock: systemClock,
    monotonicMs,
    log: pino({ level: "silent" }),
  });
  now = 84_000;
  expect(led?.lease.check).not.toThrow();
  now = 86_000;
  expect(led?.lease.check).toThrow(/may not write now/);
});

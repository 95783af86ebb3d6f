import { afterAll, beforeAll } from "vitest";
import type { Records } from "../../src/records/records.ts";
import { openTestRecords } from "../fixtures/worker-records.ts";

/** Records which the tests of one file share; there from the first of them on. */
export function fileRecords(): Pick<Records, "db"> {
  let records: Records | undefined;
  beforeAll(async () => {
    records = await openTestRecords();
  });
  afterAll(async () => {
    await records?.close();
  });
  return {
    get db() {
      if (records === undefined) throw new Error("the records are open once tests run");
      return records.db;
    },
  };
}

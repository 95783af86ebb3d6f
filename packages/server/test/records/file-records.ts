import { afterAll, beforeAll } from "vitest";
import type { Records } from "../../src/records/records.ts";
import { openTestRecords } from "../fixtures/worker-records.ts";

/** Records shared by the tests of one file; open from the first test on. */
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

import { afterAll, beforeAll } from "vitest";
import { openRecords, type Records } from "../../src/records/records.ts";
import { tempFolder } from "./temp-folder.ts";

/** Records in a folder of their own, which the tests of one file share; there from the first of them on. */
export function fileRecords(): Pick<Records, "db"> {
  const folder = tempFolder();
  let records: Records | undefined;
  beforeAll(async () => {
    records = await openRecords({ dataDir: folder.path });
  });
  afterAll(async () => {
    await records?.close();
    folder.remove();
  });
  return {
    get db() {
      if (records === undefined) throw new Error("the records are open once tests run");
      return records.db;
    },
  };
}

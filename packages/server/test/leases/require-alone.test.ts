import { afterAll, beforeAll, expect, test } from "vitest";
import { requireIdle } from "../../src/main/backup/open-side.ts";
import { requireAlone } from "../../src/main/require-alone.ts";
import { openRecords, type Records } from "../../src/records/records.ts";
import { tempFolder } from "../records/temp-folder.ts";

const MINUTE_MS = 60_000;
const folder = tempFolder();

let records: Records;
beforeAll(async () => {
  records = await openRecords({ dataDir: folder.path });
}, 60_000);
afterAll(async () => {
  await records.close();
  folder.remove();
});

const COMMAND = { id: "backfill", label: "backfill", role: "guest" };

test("nothing is restored or adopted where somebody gathers or a command stores beside", async () => {
  const { db } = records;
  const asked = () => requireIdle({ records });
  await asked();
  await db.insertInto("live_status").values({ process: "gathers", status: "{}" }).execute();
  await expect(asked()).rejects.toThrow("backfills there");
  await db.deleteFrom("live_status").execute();
  await db
    .insertInto("processes")
    .values({ ...COMMAND, expires_at: new Date(Date.now() + MINUTE_MS) })
    .execute();
  await expect(asked()).rejects.toThrow("backfills there");
  await db.deleteFrom("processes").execute();
  await asked();
});

test("tables are laid anew while nobody gathers and no command stores beside, and not else", async () => {
  const { db } = records;
  const asked = () => requireAlone(records, ["book_events"]);
  const long = new Date(Date.now() - MINUTE_MS);
  await asked();
  await db.insertInto("live_status").values({ process: "killed", status: "{}", written_at: long }).execute();
  await asked();
  await db.insertInto("live_status").values({ process: "gathers", status: "{}" }).execute();
  await expect(asked()).rejects.toThrow(/copies the rows of book_events .* stop every process that gathers/);
  await db.deleteFrom("live_status").execute();
  await db
    .insertInto("processes")
    .values({ ...COMMAND, expires_at: new Date(Date.now() + MINUTE_MS) })
    .execute();
  await expect(asked()).rejects.toThrow("stop every process");
  await db.deleteFrom("processes").execute();
  await asked();
});

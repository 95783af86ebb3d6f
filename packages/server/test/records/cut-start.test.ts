import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRecords } from "../../src/records/records.ts";
import { tempFolder } from "./temp-folder.ts";

// kill -9 between creating PostgreSQL's lock file and writing it leaves an empty one (campaign seed 17).
test.each(["", "-42\n/else"])("records open after an interrupted start that left the lock file as %j", async (left) => {
  const folder = tempFolder();
  const before = await openRecords({ dataDir: folder.path });
  await before.db.insertInto("derivations").values({ name: "kept" }).execute();
  await before.close();
  writeFileSync(join(folder.path, "records", "postmaster.pid"), left);
  const after = await openRecords({ dataDir: folder.path });
  expect(await after.db.selectFrom("derivations").select("name").execute()).toEqual([{ name: "kept" }]);
  await after.close();
  folder.remove();
});

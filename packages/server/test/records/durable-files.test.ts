import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openRecords } from "../../src/records/records.ts";
import { tempFolder } from "./temp-folder.ts";

const DESCRIPTORS = "/proc/self/fd";

/** Number of descriptors that this process has open on write-ahead log segments in a folder. */
function openSegments(folder: string): number {
  const targets = readdirSync(DESCRIPTORS).map((fd) => {
    try {
      return readlinkSync(`${DESCRIPTORS}/${fd}`);
    } catch {
      return "";
    }
  });
  return targets.filter((target) => target.startsWith(folder) && target.includes("/pg_wal/")).length;
}

// PGlite's default is fsync = off, and Emscripten's files have no fsync at all: only our sync opens a second descriptor
// on the segment, which shows that it is in place. This test fails if a new PGlite works differently.
test.skipIf(!existsSync(DESCRIPTORS))(
  "a commit syncs the write-ahead log, and closing leaves no descriptor open",
  async () => {
    const folder = tempFolder();
    const records = await openRecords({ dataDir: folder.path });
    const { rows } = await sql<{ fsync: string }>`show fsync`.execute(records.db);
    expect(rows).toEqual([{ fsync: "on" }]);
    await records.db.insertInto("derivations").values({ name: "synced" }).execute();
    expect(openSegments(folder.path)).toBe(2);
    await records.close();
    expect(openSegments(folder.path)).toBe(0);
    folder.remove();
  },
);

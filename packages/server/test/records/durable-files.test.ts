import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openRecords } from "../../src/records/records.ts";
import { tempFolder } from "./temp-folder.ts";

const DESCRIPTORS = "/proc/self/fd";

/** How many descriptors this process has on write-ahead log segments in a folder. */
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

// PGlite's own default is fsync = off, and Emscripten's files on the disk have no fsync at all: whether ours is in place
// shows in the second descriptor on the segment, which only our sync opens. A new PGlite that goes another way fails here.
test.skipIf(!existsSync(DESCRIPTORS))(
  "a commit has the write-ahead log synced, and nothing stays open after closing",
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

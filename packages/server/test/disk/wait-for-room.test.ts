import { pino } from "pino";
import { expect, test } from "vitest";
import { sql } from "../../src/definition/sql.ts";
import { waitForRoom } from "../../src/main/derive/wait-for-room.ts";
import { openStore } from "../../src/store/open-store.ts";
import { smallDiskFolder } from "./small-disk-folder.ts";

const { columns, disk, without } = smallDiskFolder("wait-for-room");

test.skipIf(disk === undefined)(
  `a statement of a long-running job waits for room on a full disk, and fails after 15 minutes without any${without}`,
  async () => {
    const store = await openStore({ folder: columns });
    let now = 0;
    const waits: number[] = [];
    const clock = {
      now: () => now,
      monotonicMs: () => now,
      sleep: async (ms: number) => {
        waits.push(ms);
        now += ms;
        if (waits.length === 3) disk?.free();
      },
    };
    const patient = waitForRoom(store, { clock, log: pino({ level: "silent" }), signal: new AbortController().signal });
    const add = sql`INSERT INTO numbers_kept SELECT number, repeat('word ', 20) FROM numbers(5000)`;
    try {
      await store.run(sql`CREATE TABLE numbers_kept (n UInt64, words String) ENGINE = MergeTree ORDER BY n`);
      await disk?.fill();
      await patient.run(add);
      expect(waits).toHaveLength(3);
      expect(await store.rows(sql`SELECT toString(count()) AS n FROM numbers_kept`)).toEqual([{ n: "5000" }]);
      await disk?.fill();
      await expect(patient.run(add)).rejects.toMatchObject({
        kind: "disk_full",
        message: "the disk is full: free space, then run it again",
      });
      expect(now).toBe(15_000 + 15 * 60_000);
      await expect(patient.run(sql`SELECT nothing FORMAT Null`)).rejects.toMatchObject({ kind: "failed" });
    } finally {
      await store.close();
    }
  },
);

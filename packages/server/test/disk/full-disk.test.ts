import { expect, test } from "vitest";
import { sql } from "../../src/definition/sql.ts";
import { openStore } from "../../src/store/open-store.ts";
import { smallDiskFolder } from "./small-disk-folder.ts";

const { columns, disk, without } = smallDiskFolder("full-disk");

test.skipIf(disk === undefined)(
  `on a full disk, queries return complete answers and writes fail with disk_full until there is room again${without}`,
  async () => {
    const store = await openStore({ folder: columns });
    try {
      await store.run(sql`CREATE TABLE numbers_kept (n UInt64, words String) ENGINE = MergeTree ORDER BY n`);
      const add = (): Promise<void> =>
        store.run(sql`INSERT INTO numbers_kept SELECT number, repeat('word ', 20) FROM numbers(5000)`);
      await add();
      await disk?.fill();
      // An answer that waited for disk space used to be empty, with status 200.
      for (let time = 0; time < 5; time += 1)
        expect(await store.rows(sql`SELECT n, words FROM numbers_kept ORDER BY n`)).toHaveLength(5000);
      await expect(add()).rejects.toMatchObject({ kind: "disk_full" });
      disk?.free();
      await add();
      expect(await store.rows(sql`SELECT toString(count()) AS n FROM numbers_kept`)).toEqual([{ n: "10000" }]);
    } finally {
      await store.close();
    }
  },
);

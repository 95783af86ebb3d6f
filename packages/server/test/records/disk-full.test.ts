import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, rmdirSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readAccountsUsage } from "../../src/access/read-accounts-usage.ts";
import { describeRecords, dumpRecords, type RecordPage } from "../../src/records/backup/dump-records.ts";
import { openRecords } from "../../src/records/records.ts";

/** Mounts a small disk, if this machine permits it. */
function smallDisk(): string | undefined {
  const path = mkdtempSync(join(tmpdir(), "almanac-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=200m", "tmpfs", path], { stdio: "ignore" });
    return path;
  } catch {
    rmdirSync(path);
    return undefined;
  }
}

const disk = smallDisk();
afterAll(() => {
  if (disk === undefined) return;
  execFileSync("umount", [disk]);
  rmdirSync(disk);
});

const reason = disk === undefined ? " (skipped: mounting a small disk is not allowed here)" : "";
test.skipIf(disk === undefined)(
  `rejects writes on a full disk, still serves reads, and accepts writes again once there is room${reason}`,
  async () => {
    const records = await openRecords({ dataDir: join(disk ?? "", "data") });
    const write = async (name: string): Promise<unknown> =>
      await records.db.insertInto("derivations").values({ name }).execute();
    await write("before");
    const filler = join(disk ?? "", "filler");
    fill(filler);
    await expect(write("during")).rejects.toMatchObject({
      code: "53100",
      message: expect.stringContaining("disk is full"),
    });
    expect(await records.db.selectFrom("derivations").select("name").execute()).toEqual([{ name: "before" }]);
    const pages: RecordPage[] = [];
    const sums = await dumpRecords(records.db, (page) => void pages.push(page));
    expect(pages.find(({ table }) => table === "derivations")?.rows).toEqual([expect.stringContaining("before")]);
    expect(await describeRecords(records.db)).toEqual(sums);
    expect((await readAccountsUsage({ db: records.db, clock: Date.now }, 10)).accounts).toEqual([]);
    rmSync(filler);
    await write("after");
    fill(filler);
    await records.close();
    await expect(openRecords({ dataDir: join(disk ?? "", "data") })).rejects.toMatchObject({ problem: "disk_full" });
    rmSync(filler);
    const again = await openRecords({ dataDir: join(disk ?? "", "data") });
    expect(await again.db.selectFrom("derivations").select("name").orderBy("name").execute()).toEqual([
      { name: "after" },
      { name: "before" },
    ]);
    await again.close();
  },
);

/** Fills the disk completely. */
function fill(path: string): void {
  const fd = openSync(path, "w");
  try {
    for (;;) writeSync(fd, Buffer.alloc(1_048_576));
  } catch (error) {
    expect(error).toMatchObject({ code: "ENOSPC" });
  } finally {
    closeSync(fd);
  }
}

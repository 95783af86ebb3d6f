import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { mountSmallDisk } from "./small-disk.ts";

/** A store's folder on its own small disk, removed after the tests; `without` tells in the title why there is none. */
export function smallDiskFolder(name: string) {
  const folder = mkdtempSync(join(tmpdir(), `almanac-${name}-`));
  const columns = join(folder, "columns");
  mkdirSync(columns);
  const disk = mountSmallDisk(columns, 200);
  afterAll(() => {
    disk?.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  return { columns, disk, without: disk ? "" : " (left out: mounting a small disk is not allowed here)" };
}

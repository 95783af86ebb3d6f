import { chmodSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openControl } from "../../src/control/open-control.ts";
import { checkDisk } from "../../src/main/doctor/checks.ts";
import { readSecret } from "../../src/main/read-secret.ts";
import { tryLockFolder } from "../../src/records/folder-lock.ts";
import { openOwnFolder } from "../../src/records/own-folder.ts";
import { openRecords } from "../../src/records/records.ts";
import { tempFolder } from "./temp-folder.ts";

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder.remove());

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test("a data folder that is made is this user's alone, and so is the file by which it is locked", () => {
  const dataDir = join(folder.path, "new", "data");
  openOwnFolder(dataDir);
  expect(modeOf(dataDir)).toBe(0o700);
  const lock = tryLockFolder(join(dataDir, "records.lock"));
  expect(modeOf(join(dataDir, "records.lock"))).toBe(0o600);
  lock?.release();
});

test("a data folder that every user may write to is used by nothing, and said what to do about", async () => {
  const dataDir = join(folder.path, "open");
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o777);
  const refused = `every user of this machine may write to the data folder ${dataDir} (mode 0777): 'chmod o-w ${dataDir}'`;
  await expect(openRecords({ dataDir })).rejects.toThrow(refused);
  expect(() => readSecret({ dataDir, secretFile: undefined })).toThrow(refused);
  await expect(openControl({ config: { dataDir } } as never, undefined as never)).rejects.toThrow(refused);
  expect(checkDisk(dataDir)).toMatchObject({ state: "fail", says: expect.stringContaining("chmod o-w") });
  openOwnFolder(join(dataDir, "almanac"));
});

test.each([0o755, 0o770, 0o2775, 0o1777])("one of mode %o, where nobody else may replace files, is used", (mode) => {
  const dataDir = join(folder.path, "shared");
  mkdirSync(dataDir);
  chmodSync(dataDir, mode);
  openOwnFolder(dataDir);
  expect(readSecret({ dataDir, secretFile: undefined })).toHaveLength(32);
});

import { chmodSync, chownSync, lchownSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commandContext, runInContext } from "../../src/cli/command-context.ts";
import { askOwner } from "../../src/control/ask-owner.ts";
import { openControl } from "../../src/control/open-control.ts";
import { checkDisk } from "../../src/main/doctor-command.ts";
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

test("creates a data folder and its lock file with access for this user only", () => {
  const dataDir = join(folder.path, "new", "data");
  openOwnFolder(dataDir);
  expect(modeOf(dataDir)).toBe(0o700);
  const lock = tryLockFolder(join(dataDir, "records.lock"));
  expect(modeOf(join(dataDir, "records.lock"))).toBe(0o600);
  lock?.release();
});

test("throws for a folder that the file system refuses to create, naming it", () => {
  expect(() => openOwnFolder("/proc/almanac/data")).toThrow("/proc/almanac");
});

test("rejects a data folder that every user may write to, in every component, and says how to fix it", async () => {
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

test.each([0o755, 0o770, 0o2775])("accepts a data folder of mode %o, which not every user may write to", (mode) => {
  const dataDir = join(folder.path, "shared");
  mkdirSync(dataDir);
  chmodSync(dataDir, mode);
  openOwnFolder(dataDir);
  expect(readSecret({ dataDir, secretFile: undefined })).toHaveLength(32);
});

test("rejects a data folder to which every user may add files, even if they cannot replace any", () => {
  const dataDir = join(folder.path, "sticky");
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o1777);
  expect(() => openOwnFolder(dataDir)).toThrow("(mode 1777)");
});

test.runIf(process.getuid?.() === 0)("rejects another user's folder or symbolic link, also in commands", async () => {
  const [own, his, link] = ["own", "his", "link"].map((name) => join(folder.path, name)) as [string, string, string];
  for (const path of [own, his]) mkdirSync(path, { mode: 0o700 });
  chownSync(his, 4242, 4242);
  symlinkSync(own, link);
  lchownSync(link, 4242, 4242);
  for (const dataDir of [his, link]) {
    const refused = `the data folder ${dataDir} belongs to another user (uid 4242)`;
    expect(() => openOwnFolder(dataDir)).toThrow(refused);
    const err = new PassThrough();
    const requested = runInContext({ ...commandContext(), err }, () =>
      askOwner(["key", "list"], { ALMANAC_DATA_DIR: dataDir }),
    );
    expect(await requested).toBe(1);
    expect(String(err.read())).toContain(refused);
  }
});

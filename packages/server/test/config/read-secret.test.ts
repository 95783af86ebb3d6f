import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readSecret } from "../../src/main/read-secret.ts";

const folder = mkdtempSync(join(tmpdir(), "almanac-secret-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("generates the secret once if there is no file", () => {
  const made = readSecret({ dataDir: folder, secretFile: undefined });
  expect(made).toHaveLength(32);
  expect(readSecret({ dataDir: folder, secretFile: undefined })).toEqual(made);
});

test("generates the secret again if a power failure left its file empty", () => {
  writeFileSync(join(folder, "secret"), "");
  expect(readSecret({ dataDir: folder, secretFile: undefined })).toHaveLength(32);
});

test("uses a given file as the secret of every process", () => {
  const secretFile = join(folder, "given");
  writeFileSync(secretFile, `${"ab".repeat(32)}\n`);
  expect(readSecret({ dataDir: folder, secretFile })).toEqual(Buffer.alloc(32, 0xab));
});

test.each(["", "ab".repeat(31), "not hex".repeat(20)])("refuses a file that contains %j by name", (text) => {
  const secretFile = join(folder, "bad");
  writeFileSync(secretFile, text);
  expect(() => readSecret({ dataDir: folder, secretFile })).toThrow(/ALMANAC_SECRET_FILE is .*bad.*openssl/);
});

test("refuses a missing file by name", () => {
  const secretFile = join(folder, "none");
  expect(() => readSecret({ dataDir: folder, secretFile })).toThrow(/ALMANAC_SECRET_FILE is .*none.*cannot be read/);
});

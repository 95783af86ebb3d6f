import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { runCommandLine } from "../../src/cli/run-command-line.ts";
import { backupCommand } from "../../src/main/backup/backup-commands.ts";
import { pruneBackups, verifyBackup } from "../../src/store/backup/list-backups.ts";
import { newName, readManifest, writeDraft, writeManifest, type Manifest } from "../../src/store/backup/manifest.ts";
import { openStorage } from "../../src/store/backup/open-storage.ts";
import { s3Client } from "../../src/store/backup/s3-client.ts";
import type { BackupStorage } from "../../src/store/backup/storage.ts";
import { startS3, type TestS3 } from "./start-s3.ts";

const MANIFEST: Manifest = {
  format: 1,
  name: "2026-11-22T120000Z",
  program: "0",
  started_at: "2026-11-22T12:00:00.000Z",
  ended_at: null,
  schema: 1,
  records_schema: 1,
  records: { file: "records", bytes: 0, sha256: "", tables: {} },
  tables: [],
};
const CHUNK = 1_000_000;
const LARGE_CHUNKS = 36;

let s3: TestS3;
let folder: string;
beforeAll(async () => {
  s3 = await startS3();
  folder = mkdtempSync(join(tmpdir(), "almanac-backup-"));
});
afterAll(async () => {
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
});

// eslint-disable-next-line require-await
async function* bytesOf(...texts: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

const large = Array.from({ length: LARGE_CHUNKS }, (_, index) => Buffer.alloc(CHUNK, index));

async function* broken(): AsyncGenerator<Buffer> {
  yield* bytesOf(...large.slice(0, 34));
  throw new Error("the engine is gone");
}

async function digestOf(storage: BackupStorage, name: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of await storage.get(name)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

describe.each([
  ["a folder", () => openStorage(folder, {})],
  ["S3", () => openStorage(`s3://${s3.bucket}/some/prefix`, s3.place)],
] as const)("%s", (_name, open) => {
  test("stores files, lists those of a prefix in order, replaces and removes them", async () => {
    const storage = open();
    await storage.put("b/two.txt", bytesOf("two"));
    await storage.put("b/one-+é.txt", bytesOf("one", "!"));
    await storage.put("c/empty", bytesOf());
    await storage.put("b/two.txt", bytesOf("2"));
    const listed = await storage.list("b/");
    expect(listed.map(({ name, bytes }) => [name, bytes])).toEqual([
      ["b/one-+é.txt", 4],
      ["b/two.txt", 1],
    ]);
    expect((await storage.list("")).map(({ name }) => name)).toContain("c/empty");
    expect(await digestOf(storage, "b/two.txt")).toBe(createHash("sha256").update("2").digest("hex"));
    await storage.remove("b/two.txt");
    await storage.remove("b/two.txt");
    await expect(storage.get("b/two.txt")).rejects.toMatchObject({ problem: "absent" });
    await storage.close();
  });

  test("stores a large file as a stream and returns it unchanged", async () => {
    const storage = open();
    await storage.put("large.bin", bytesOf(...large));
    const [file] = await storage.list("large");
    expect(file?.bytes).toBe(CHUNK * LARGE_CHUNKS);
    const hash = createHash("sha256");
    for (const chunk of large) hash.update(chunk);
    expect(await digestOf(storage, "large.bin")).toBe(hash.digest("hex"));
    await storage.close();
  });

  test("stores nothing of a file whose upload is interrupted", async () => {
    const storage = open();
    await expect(storage.put("broken.bin", broken())).rejects.toThrow("the engine is gone");
    expect(await storage.list("broken")).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith("broken"))).toEqual([]);
    await storage.close();
  });
});

test.each(["list", "verify", "prune"])("almanac backup %s of a missing folder ends with 3", async (verb) => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const missing = join(folder, "missing");
  const code = await runCommandLine(backupCommand, [verb, missing, ...(verb === "prune" ? ["--keep", "1"] : [])]);
  expect([code, said.mock.calls.join("")]).toEqual([3, `almanac: ${missing} does not exist\n`]);
  said.mockRestore();
});

test("a backup is named after all others, though the clock was set back, and over the ends of months and years", async () => {
  const storage = openStorage(mkdtempSync(join(folder, "named-")), {});
  const nowMs = Date.parse("2026-11-21T12:00:00.500Z");
  expect(await newName(storage, nowMs)).toBe("2026-11-21T120000Z");
  await writeManifest(storage, { ...MANIFEST, name: "2026-11-21T120000Z" });
  expect(await newName(storage, nowMs)).toBe("2026-11-21T120001Z");
  await writeManifest(storage, { ...MANIFEST, name: "2026-12-31T235959Z" });
  expect(await newName(storage, nowMs)).toBe("2027-01-01T000000Z");
  await writeDraft(storage, { ...MANIFEST, name: "2028-02-28T235959Z" });
  expect(await newName(storage, nowMs)).toBe("2028-02-29T000000Z");
  await storage.close();
});

test("a file that cannot be read is named, and the others are verified", async () => {
  const place = mkdtempSync(join(folder, "unreadable-"));
  const storage = openStorage(place, {});
  mkdirSync(join(place, "parts/t/0"), { recursive: true });
  const files = ["parts/t/0", "parts/t/1"];
  const parts = files.map((file) => ({ file, bytes: 4, sha256: "", rows: "1", sum: "0", xor: "0" }));
  await storage.put(MANIFEST.records.file, bytesOf(""));
  await storage.put("parts/t/1", bytesOf("rows"));
  const troubles = await verifyBackup(storage, { ...MANIFEST, tables: [{ name: "t", columns: [], parts }] });
  expect(troubles.map(({ file }) => file)).toEqual([MANIFEST.records.file, ...files]);
  expect(troubles[1]?.trouble).toContain(join(place, "parts/t/0"));
  await storage.close();
});

describe("S3", () => {
  test("receives large files in parts, and is tried again after 503 and cut connections", async () => {
    const storage = openStorage(`s3://${s3.bucket}`, s3.place);
    const before = s3.requests.length;
    await storage.put("parts.bin", bytesOf(...large));
    expect(s3.requests.slice(before).filter((one) => one.includes("partNumber="))).toHaveLength(3);
    for (const how of ["503", "503 page", "503 cut", "cut"] as const) {
      s3.fail(how, 2);
      await storage.put("again.txt", bytesOf(how));
      expect(await digestOf(storage, "again.txt")).toBe(createHash("sha256").update(how).digest("hex"));
    }
    s3.fail("503", 1000);
    await expect(storage.list("")).rejects.toMatchObject({ problem: "unreachable" });
    s3.fail("503", 0);
    await storage.close();
  });

  test("is tried again if an answer is cut off in the middle, and five times at most", async () => {
    const storage = openStorage(`s3://${s3.bucket}/cut`, s3.place);
    await storage.put("some.bin", bytesOf(...large.slice(0, 3)));
    const hash = createHash("sha256");
    for (const chunk of large.slice(0, 3)) hash.update(chunk);
    const sha256 = hash.digest("hex");
    s3.fail("cut within", 4);
    expect(await digestOf(storage, "some.bin")).toBe(sha256);
    s3.fail("cut within", 4);
    expect((await storage.list("some")).map(({ name }) => name)).toEqual(["some.bin"]);
    s3.fail("cut within", 1000);
    await expect(digestOf(storage, "some.bin")).rejects.toMatchObject({ problem: "unreachable" });
    await expect(storage.list("some")).rejects.toMatchObject({ problem: "unreachable" });
    s3.fail("503", 0);
    await storage.close();
  });

  test("is tried again if it cannot assemble a large file at once", async () => {
    const storage = openStorage(`s3://${s3.bucket}/assembled`, s3.place);
    s3.fail({ status: 200, body: "<Error><Code>InternalError</Code></Error>", isOfEnd: true }, 1);
    await storage.put("late.bin", bytesOf(...large.slice(0, 17)));
    expect((await storage.list("late")).map(({ bytes }) => bytes)).toEqual([17 * CHUNK]);
    await storage.close();
  });

  test("has a large file whose assembly it completed, though the answer is lost", async () => {
    const storage = openStorage(`s3://${s3.bucket}/lost-end`, s3.place);
    s3.fail("end lost", 1);
    await storage.put("late.bin", bytesOf(...large.slice(0, 17)));
    expect((await storage.list("late")).map(({ bytes }) => bytes)).toEqual([17 * CHUNK]);
    await storage.close();
  });

  test("does not pass off an older file of that name as one whose upload it has lost", async () => {
    const storage = openStorage(`s3://${s3.bucket}/lost-upload`, s3.place);
    await storage.put("late.bin", bytesOf(...large.slice(0, 17)));
    s3.fail({ status: 404, body: "<Error><Code>NoSuchUpload</Code></Error>", isOfEnd: true }, 1);
    await expect(storage.put("late.bin", bytesOf(...large.slice(1, 18)))).rejects.toMatchObject({ problem: "absent" });
    await storage.close();
  });

  test("is read to its end if the connection is cut after the last byte", async () => {
    const storage = openStorage(`s3://${s3.bucket}/cut-end`, s3.place);
    for (const text of ["some rows", "1", ""]) {
      await storage.put("some.bin", bytesOf(text));
      s3.fail("cut at its end", 1);
      expect(await digestOf(storage, "some.bin")).toBe(createHash("sha256").update(text).digest("hex"));
    }
    await storage.close();
  });

  test.each([
    ["o'brien & sons", "o&#39;brien &amp; sons/b/it&#x27;s.json"],
    [" a", " a/b/it&apos;s.json"],
  ])("lists the files of the prefix '%s' however their names are written", async (prefix, key) => {
    const storage = openStorage(`s3://${s3.bucket}/${prefix}`, s3.place);
    const file = `<Contents>
<Key>${key}</Key><Size>2</Size><LastModified>2026-11-22T12:00:00Z</LastModified></Contents>`;
    s3.fail(
      {
        status: 200,
        body: `<ListBucketResult>
${file}
</ListBucketResult>`,
      },
      1,
    );
    expect((await storage.list("")).map(({ name }) => name)).toEqual(["b/it's.json"]);
    await storage.close();
  });

  test("names what to change if it is no S3 server, is elsewhere, or its clock is apart", async () => {
    const storage = openStorage(`s3://${s3.bucket}/answers`, s3.place);
    const moved = {
      headers: { "x-amz-bucket-region": "eu-west-3" },
      body: "<Error><Code>PermanentRedirect</Code></Error>",
    };
    for (const [answer, said] of [
      [
        { status: 200, body: "<!doctype html><p>console" },
        { problem: "failed", message: /S3_ENDPOINT/ },
      ],
      [
        { status: 301, ...moved },
        { problem: "refused", message: /S3_REGION.*eu-west-3/ },
      ],
      [
        { status: 403, body: "<Error><Code>RequestTimeTooSkewed</Code></Error>" },
        { problem: "refused", message: /clock/ },
      ],
    ] as const) {
      s3.fail(answer, 1);
      const { problem, message } = said;
      await expect(storage.list("")).rejects.toMatchObject({
        problem,
        message: expect.stringMatching(message) as unknown,
      });
    }
    await storage.close();
  });

  test("is asked again after as long as it says, but a minute at most", async () => {
    const waits: number[] = [];
    const client = s3Client(s3.place, (ms) => Promise.resolve(waits.push(ms)));
    for (const seconds of ["7", "3600"]) {
      const body = "<Error><Code>SlowDown</Code></Error>";
      s3.fail({ status: 503, headers: { "retry-after": seconds }, body }, 1);
      await client.askXml({ method: "GET", bucket: s3.bucket, query: { "list-type": "2" } }, z.unknown());
    }
    await client.close();
    expect(waits).toEqual([7000, 60_000]);
  });

  test("has removed a file if it does not know it", async () => {
    const storage = openStorage(`s3://${s3.bucket}/removed`, s3.place);
    s3.fail({ status: 404, body: "<Error><Code>NoSuchKey</Code></Error>" }, 1);
    await storage.remove("some.bin");
    await storage.close();
  });

  test("names files and manifests the same wherever an answer is divided within a character", async () => {
    const storage = openStorage(`s3://${s3.bucket}/divided`, s3.place);
    await storage.put("é/backup.json", bytesOf("{}"));
    s3.fail("in bytes", 1);
    expect((await storage.list("")).map(({ name }) => name)).toEqual(["é/backup.json"]);
    const made = { ...MANIFEST, program: "é" };
    await writeManifest(storage, made);
    s3.fail("in bytes", 1);
    expect(await readManifest(storage, made.name)).toEqual(made);
    await storage.close();
  });

  test("loses the uploads that killed backups left once it is pruned, and none of a running one", async () => {
    const storage = openStorage(`s3://${s3.bucket}/killed`, s3.place);
    const parts = ["2026-11-21T120000Z", "2026-11-23T120000Z"].map((name) => `parts/fills/${name}-00000.parquet`);
    const client = s3Client(s3.place);
    for (const part of parts)
      await client.askXml(
        { method: "POST", bucket: s3.bucket, key: `killed/${part}`, query: { uploads: "" } },
        z.unknown(),
      );
    await client.close();
    await writeManifest(storage, MANIFEST);
    await writeDraft(storage, { ...MANIFEST, name: "2026-11-23T120000Z" });
    expect(s3.uploads().toSorted()).toEqual(parts.map((part) => `killed/${part}`));
    await pruneBackups(storage, 1);
    expect(s3.uploads()).toEqual([`killed/${parts[1]}`]);
    await storage.close();
  });

  test("refuses wrong credentials and an absent bucket, without revealing the secret", async () => {
    const secret = "not-the-secret-at-all";
    const wrong = openStorage(`s3://${s3.bucket}`, { ...s3.place, secretAccessKey: secret });
    const reported = await wrong.put("x", bytesOf("x")).catch((error: unknown) => error);
    expect(reported).toMatchObject({ problem: "refused" });
    expect(String(reported)).toContain("S3_SECRET_ACCESS_KEY");
    expect(String(reported)).not.toContain(secret);
    const absent = openStorage("s3://nowhere/prefix", s3.place);
    await expect(absent.put("x", bytesOf("x"))).rejects.toThrow(/no bucket nowhere/);
    await expect(absent.list("")).rejects.toMatchObject({ problem: "absent" });
    expect(() => openStorage("s3://backups/x", {})).toThrow(/S3_ACCESS_KEY_ID/);
    expect(() => openStorage("s3://-/x", s3.place)).toThrow(/names no bucket/);
    await Promise.all([wrong.close(), absent.close()]);
  });
});

describe("pruning beside a backup", () => {
  const old = { ...MANIFEST, ended_at: "2026-11-22T12:01:00.000Z", records: { ...MANIFEST.records, file: "old" } };
  const part = "parts/t/2026-11-23T120000Z-00000.parquet";
  const name = "2026-11-23T120000Z";
  const begin = async (storage: BackupStorage): Promise<void> => {
    await writeDraft(storage, { ...MANIFEST, name });
    await storage.put(part, bytesOf("rows"));
  };
  const complete = async (storage: BackupStorage): Promise<void> => {
    const of = { file: part, bytes: 4, sha256: "", rows: "1", sum: "0", xor: "0" };
    await writeManifest(storage, { ...old, name, tables: [{ name: "t", columns: [], parts: [of] }] });
    await storage.remove(`${name}/draft.json`);
  };

  test.each([
    ["begins", [], begin],
    ["ends", [begin], complete],
  ] as const)("keeps the parts of one that %s while it lists what is there", async (_how, before, meanwhile) => {
    for (let listing = 1; listing <= 3; listing += 1) {
      const storage = openStorage(mkdtempSync(join(folder, "beside-")), {});
      await writeManifest(storage, old);
      for (const step of before) await step(storage);
      let listed = 0;
      const list = async (prefix: string): ReturnType<BackupStorage["list"]> => {
        const found = await storage.list(prefix);
        listed += 1;
        if (listed === listing) await meanwhile(storage);
        return found;
      };
      await pruneBackups({ ...storage, list }, 1);
      expect(
        (await storage.list("parts/")).map((file) => file.name),
        `after listing ${listing}`,
      ).toEqual([part]);
      await storage.close();
    }
  });
});

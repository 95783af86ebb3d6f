import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readEndpoint } from "../../src/records/endpoint.ts";
import { openRecords } from "../../src/records/records.ts";
import type { Records } from "../../src/records/records.ts";
import { tempFolder } from "./temp-folder.ts";

const SLOW = 120_000;
const program = join(import.meta.dirname, "records-process.ts");

let folder: ReturnType<typeof tempFolder>;
let children: ChildProcess[] = [];
let opened: Records[] = [];
beforeEach(() => {
  folder = tempFolder();
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(opened.map((records) => records.close()));
  children = [];
  opened = [];
  folder.remove();
});

async function open(path = folder.path): Promise<Records> {
  const records = await openRecords({ dataDir: path });
  opened.push(records);
  return records;
}

type Other = {
  readonly child: ChildProcess;
  readonly lines: string[];
  readonly says: (line: string) => Promise<void>;
  readonly ended: Promise<number | null>;
};

function start(...task: string[]): Other {
  const child = spawn(process.execPath, [program, folder.path, ...task], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const lines: string[] = [];
  if (child.stdout) createInterface(child.stdout).on("line", (line) => lines.push(line));
  const ended = once(child, "close").then(([code]) => code as number | null);
  const says = async (line: string): Promise<void> => {
    while (!lines.includes(line)) {
      if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode} before it said ${line}`);
      await sleep(10);
    }
  };
  return { child, lines, says, ended };
}

async function sum(records: Records): Promise<number> {
  const row = await records.db
    .selectFrom("streams")
    .select("rows_stored")
    .where("name", "=", "sum")
    .executeTakeFirstOrThrow();
  return row.rows_stored;
}

async function kill(other: Other): Promise<void> {
  other.child.kill("SIGKILL");
  await other.ended;
}

describe("several processes on one folder", () => {
  test(
    "transactions of four processes at once never mix",
    async () => {
      const records = await open();
      await records.db.insertInto("streams").values({ name: "sum" }).execute();
      const others = [start("increment", "40"), start("increment", "40"), start("increment", "40")];
      const own = Array.from({ length: 40 }, async () => {
        await records.db.transaction().execute(async (transaction) => {
          const before = await sum({ ...records, db: transaction });
          await sleep(1);
          await transaction
            .updateTable("streams")
            .set({ rows_stored: before + 1 })
            .where("name", "=", "sum")
            .execute();
        });
      });
      await Promise.all(own);
      expect(await Promise.all(others.map((other) => other.ended))).toEqual([0, 0, 0]);
      expect(await sum(records)).toBe(160);
    },
    SLOW,
  );

  test(
    "a process killed inside its transaction takes only that with it",
    async () => {
      const records = await open();
      const other = start("hang", "60000");
      await other.says("hanging");
      await kill(other);
      expect(await records.db.selectFrom("streams").select("name").execute()).toEqual([]);
    },
    SLOW,
  );

  test(
    "a process that sits in its transaction is dropped after five seconds",
    async () => {
      const records = await open();
      const other = start("hang", "60000");
      await other.says("hanging");
      const since = Date.now();
      expect(await records.db.selectFrom("streams").select("name").execute()).toEqual([]);
      expect(Date.now() - since).toBeGreaterThan(3000);
      expect(Date.now() - since).toBeLessThan(20_000);
    },
    SLOW,
  );

  test(
    "when the process that has them open is killed, another takes over and nothing acknowledged is lost",
    async () => {
      const owner = start("write", "owner");
      await owner.says("ready");
      const records = await open();
      await records.db.insertInto("streams").values({ name: "through the owner" }).execute();
      expect((await readEndpoint(folder.path))?.pid).toBe(owner.child.pid);
      await owner.says("owner_5");
      await kill(owner);
      const kept = new Set(
        (await records.db.selectFrom("derivations").select("name").execute()).map((row) => row.name),
      );
      expect(owner.lines.slice(1).filter((line) => !kept.has(line))).toEqual([]);
      expect(await records.db.selectFrom("streams").select("name").execute()).toEqual([{ name: "through the owner" }]);
      expect((await readEndpoint(folder.path))?.pid).toBe(process.pid);
      expect(await start("wait", "0").ended).toBe(0);
    },
    SLOW,
  );

  test(
    "when the owner closes in good order, the others go on",
    async () => {
      const owner = await open();
      const other = start("wait", "3000");
      await other.says("ready");
      await owner.close();
      const again = await open();
      expect(await again.db.selectFrom("plans").select("name").execute()).toHaveLength(3);
      expect(await other.ended).toBe(0);
    },
    SLOW,
  );

  test(
    "one process may open the same folder twice",
    async () => {
      const [first, second] = [await open(), await open()];
      await first.db.insertInto("streams").values({ name: "one" }).execute();
      expect(await second.db.selectFrom("streams").select("name").execute()).toEqual([{ name: "one" }]);
    },
    SLOW,
  );
});

describe("kill -9", () => {
  test(
    "during writes loses nothing acknowledged, keeps no half transaction, and needs no repair",
    async () => {
      const acknowledged: string[] = [];
      for (const [turn, after] of [3, 7, 12, 20, 0].entries()) {
        const writer = start("write", `run${turn}`);
        await writer.says(`run${turn}_${after}`);
        // Somewhere within one of the next transactions.
        await sleep(after);
        await kill(writer);
        acknowledged.push(...writer.lines.filter((line) => line !== "ready"));
      }
      const records = await open();
      const kept = (await records.db.selectFrom("derivations").select("name").execute()).map((row) => row.name);
      const twins = (await records.db.selectFrom("notices").select("stream").execute()).map((row) => row.stream);
      expect(acknowledged.length).toBeGreaterThan(10);
      expect(acknowledged.filter((name) => !kept.includes(name))).toEqual([]);
      expect(kept.sort()).toEqual(twins.sort());
    },
    SLOW,
  );

  test(
    "during the very first start leaves nothing in the way of the next",
    async () => {
      for (const afterMs of [250, 350, 450, 600, 800, 1100]) {
        const first = start("wait", "60000");
        await sleep(afterMs);
        await kill(first);
      }
      const records = await open();
      expect(await records.db.selectFrom("plans").select("name").execute()).toHaveLength(3);
    },
    SLOW,
  );
});

describe("the endpoint file and the socket", () => {
  test(
    "only the owner may enter the socket's folder",
    async () => {
      const records = await open();
      expect(statSync(dirname(records.url)).mode & 0o777).toBe(0o700);
      expect(statSync(join(folder.path, "records")).mode & 0o777).toBe(0o700);
      expect(statSync(join(folder.path, "almanac.json")).mode & 0o777).toBe(0o600);
    },
    SLOW,
  );

  test.each([
    ["of a dead process", JSON.stringify({ pid: 2 ** 22 + 1, records_socket: "/nowhere", started_at: "x" })],
    [
      "of a process that is something else by now",
      JSON.stringify({ pid: 1, records_socket: "/nowhere", started_at: "x" }),
    ],
    ["with half its text", '{"pid": 1'],
  ])(
    "a file %s is no obstacle",
    async (_, text) => {
      writeFileSync(join(folder.path, "almanac.json"), text);
      const records = await open();
      expect((await readEndpoint(folder.path))?.pid).toBe(process.pid);
      await records.close();
      expect(await readEndpoint(folder.path)).toBeUndefined();
    },
    SLOW,
  );

  test(
    "a folder too deep for a socket's name works",
    async () => {
      const deep = join(folder.path, "deep".repeat(30));
      mkdirSync(deep);
      const records = await open(deep);
      expect(Buffer.byteLength(records.url)).toBeLessThan(100);
      const second = await open(deep);
      expect(await second.db.selectFrom("plans").select("name").execute()).toHaveLength(3);
    },
    SLOW,
  );
});

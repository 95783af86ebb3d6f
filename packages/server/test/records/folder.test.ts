import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { embeddedSessions } from "../../src/records/embedded-sessions.ts";
import { openRecords, type Records } from "../../src/records/records.ts";
import { tempFolder } from "./temp-folder.ts";

/** Number of transactions acknowledged before each kill, and the delay of the kill in milliseconds. */
const WRITTEN = thoroughly([3, 7, 12, 20, 0], [12, 0]);
/** Milliseconds after which a start that creates the folder is killed. */
const FIRST_TIMESTAMPS_MS = thoroughly([250, 350, 450, 600, 800, 1100], [350, 800]);
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

async function kill(other: Other): Promise<void> {
  other.child.kill("SIGKILL");
  await other.ended;
}

test("V8 does not optimise PostgreSQL's parser, which would take 600 MB", async () => {
  const process = start("parse", "300");
  expect(await process.ended).toBe(0);
  expect(Number(process.lines[1])).toBeLessThan(200e6);
});

describe("only one process at a time uses a folder", () => {
  test("the next one waits for the first and finds everything it wrote", async () => {
    const records = await open();
    await records.db.insertInto("streams").values({ name: "kept" }).execute();
    const waiting = start("list", "0");
    await sleep(500);
    expect(waiting.lines).toEqual([]);
    await records.close();
    expect(await waiting.ended).toBe(0);
    expect(waiting.lines).toEqual(["ready", "kept"]);
  });

  test("a process that waits too long is rejected with a clear message, and the owner continues", async () => {
    const records = await open();
    const refused = await embeddedSessions(folder.path, [], 100).catch((error: unknown) => error);
    expect(refused).toMatchObject({ problem: "busy", message: expect.stringContaining(folder.path) });
    expect(await records.db.selectFrom("plans").select("name").execute()).toHaveLength(3);
  });

  test("a clock that is set ahead does not end the wait", async () => {
    const records = await open();
    let looks = 0;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => (looks += 1) * 3_600_000);
    const second = embeddedSessions(folder.path, []).finally(() => clock.mockRestore());
    await records.close();
    opened = [];
    await (await second).close();
  });

  test("only its user has access", async () => {
    await open();
    expect(statSync(join(folder.path, "records")).mode & 0o777).toBe(0o700);
  });
});

describe("kill -9", () => {
  test("during writes loses no acknowledged row, keeps no partial transaction, and needs no repair", async () => {
    const acknowledged: string[] = [];
    for (const [turn, after] of WRITTEN.entries()) {
      const writer = start("write", `run${turn}`);
      await writer.says(`run${turn}_${after}`);
      // At some point within one of the next transactions.
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
  });

  test("during the very first start does not block the next one", async () => {
    for (const afterMs of FIRST_TIMESTAMPS_MS) {
      const first = start("wait", "60000");
      await sleep(afterMs);
      await kill(first);
    }
    const records = await open();
    expect(await records.db.selectFrom("plans").select("name").execute()).toHaveLength(3);
  });
});

import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openAccess } from "../../src/access/access.ts";
import { readRange } from "../../src/cli/read-options.ts";
import { embeddedSessions } from "../../src/records/embedded-sessions.ts";
import { type Records, recordsOver } from "../../src/records/records.ts";
import { addManyAccounts, addManyKeys, addManyUsers } from "../fixtures/many-rows.ts";
import { tempFolder } from "../records/temp-folder.ts";
import { openOwner, type TestOwner } from "./open-owner.ts";
import { runAlmanac } from "./test-root.ts";

const program = join(import.meta.dirname, "almanac.ts");
const folder = tempFolder();
afterAll(() => folder.remove());

type Ran = { readonly code: number; readonly out: string; readonly err: string };

/** Runs the command as a process, for tests that need a second process. */
async function almanac(args: string): Promise<Ran> {
  const env = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    ALMANAC_DATA_DIR: folder.path,
  };
  return await new Promise((resolve) => {
    execFile(process.execPath, [program, ...args.split(" ")], { env }, (error, out, err) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err });
    });
  });
}

/** Runs the same command line in this process, for the many short cases. */
async function inProcess(args: string, environment: Record<string, string> = {}): Promise<Ran> {
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  for (const [name, value] of Object.entries({ ALMANAC_DATA_DIR: folder.path, ...environment }))
    vi.stubEnv(name, value);
  try {
    const code = await runAlmanac(args.trim() === "" ? [] : args.trim().split(" "));
    return { code, out: out.mock.calls.join(""), err: err.mock.calls.join("") };
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}

async function json<T = Record<string, unknown>>(args: string): Promise<T> {
  const { code, out, err } = await inProcess(`${args} --json`);
  expect([code, err]).toEqual([0, ""]);
  expect(out.trim().split("\n")).toHaveLength(1);
  return JSON.parse(out) as T;
}

async function change(statement: RawBuilder<unknown>): Promise<void> {
  const db = recordsOver(await embeddedSessions(folder.path, []));
  await statement.execute(db);
  await db.destroy();
}

describe("with the service stopped", () => {
  test("runs two commands concurrently", async () => {
    const both = await Promise.all([almanac("plan list"), almanac("account list")]);
    expect(both.map((ran) => ran.code)).toEqual([0, 0]);
  });

  test("prints a key once, alone on its line, and never again", async () => {
    await inProcess("account create --name Bob --email bob@example.org");
    const made = await inProcess("key create --account bob@example.org");
    const key = made.out.split("\n")[0] ?? "";
    expect(key).toMatch(/^alm_live_/);
    const listed = await inProcess("key list");
    expect(listed.out).toContain(key.slice(0, 15));
    expect(listed.out).toMatch(/STATE +MODE/);
    expect(listed.out).not.toContain(key.slice(0, 20));
  });

  test("leaves older records to a program that also upgrades their rows", async () => {
    await inProcess("plan list");
    await change(sql`create table newest as select * from migrations order by number desc limit 1`);
    await change(sql`delete from migrations where number = (select number from newest)`);
    for (const attempt of [1, 2])
      expect(await inProcess("plan list"), `attempt ${attempt}`).toMatchObject({
        code: 1,
        err: expect.stringMatching(/the records are at schema \d+, .* run 'almanac migrate' first/),
      });
    await change(sql`insert into migrations select * from newest`);
    await change(sql`drop table newest`);
    expect((await inProcess("plan list")).code).toBe(0);
  });
});

describe("with the service running", () => {
  let records: Records;
  let owner: TestOwner;
  beforeAll(async () => {
    owner = await openOwner(folder.path);
    ({ records } = owner);
  });
  afterAll(async () => await owner.close());

  test("manages accounts, keys and plans", async () => {
    const email = "ann@example.org";
    const account = await json(`account create --name Ann --email ${email} --plan pro`);
    expect(account).toMatchObject({ email, plan: "pro", user: { email, role: "owner", must_change_password: true } });
    expect(account["password"]).toMatch(/^([a-z2-9]{4}-){4}[a-z2-9]{4}$/);
    expect((await json<{ accounts: unknown[] }>("account list")).accounts).toContainEqual(
      expect.objectContaining({ email }),
    );

    const made = await json(`key create --account ${email} --name ci --expires 90d --datasets 556,574`);
    expect(made).toMatchObject({ account_id: account["id"], name: "ci", datasets: [556, 574], state: "active" });
    expect(made["key"]).toMatch(/^alm_live_[a-z2-7]{26}_[a-z2-7]{6}$/);
    expect(Date.parse(String(made["expires_at"])) - Date.now()).toBeGreaterThan(89.9 * 86_400_000);

    const rotated = await json(`key rotate ${String(made["prefix"])} --overlap 1h`);
    expect(rotated).toMatchObject({ name: "ci", replaces: { id: made["id"] } });
    expect(await json(`key revoke ${String(rotated["key"])}`)).toMatchObject({ id: rotated["id"], state: "revoked" });
    const lenient = await json(`key create --account ${email} --mode compatible`);
    expect(await json(`key edit ${String(made["prefix"])} --mode compatible`)).toMatchObject({ mode: "compatible" });
    const limited = `key edit ${String(made["prefix"])} --requests-per-minute 10 --burst 5`;
    expect(await json(limited)).toMatchObject({ requests_per_minute: 10, burst: 5, mode: "compatible" });
    expect(await json(`key edit ${String(made["prefix"])} --unlimited`)).toMatchObject({ requests_per_minute: null });
    const listed = await json<{ keys: { id: string; state: string; mode: string }[] }>(`key list --account ${email}`);
    expect(listed.keys.map((key) => [key.id, key.state, key.mode])).toEqual([
      [made["id"], "active", "compatible"],
      [rotated["id"], "revoked", "strict"],
      [lenient["id"], "active", "compatible"],
    ]);

    expect(await json(`plan set ${email} enterprise`)).toMatchObject({ plan: "enterprise" });
    expect(await json("plan edit pro --burst 7 --keys 40 --users 20 --datasets free,pro,574")).toMatchObject({
      burst: 7,
      datasets: ["free", "pro", 574],
    });
    expect(await json<unknown[]>("plan list")).toContainEqual(expect.objectContaining({ name: "pro", burst: 7 }));
    expect(await json(`account disable ${email}`)).toMatchObject({ disabled_at: expect.any(String) });
  });

  test("accepts another process's new key at once, and refuses it within a second of its revocation", async () => {
    const warnings: unknown[] = [];
    const access = openAccess({
      records,
      clock: Date.now,
      log: { warn: (...line: unknown[]) => void warnings.push(line) },
    });
    await inProcess("account create --name Eve --email eve@example.org");
    const made = (await almanac("key create --account eve@example.org --json")).out;
    const { id, key } = JSON.parse(made) as { readonly id: string; readonly key: string };
    expect((await access.verify(key))?.keyId).toBe(id);
    let goodUntil = Date.now();
    let endsAt = Number.POSITIVE_INFINITY;
    const revoking = almanac(`key revoke ${id}`).then((ran) => {
      endsAt = Date.now() + 2000;
      return { ...ran, at: Date.now() };
    });
    for (let requested = Date.now(); requested < endsAt; requested = Date.now()) {
      if (await access.verify(key)) goodUntil = requested;
      await sleep(20);
    }
    const { code, at } = await revoking;
    expect(code).toBe(0);
    expect(goodUntil - at).toBeLessThan(1000);
    await access.close();
    expect(warnings).toEqual([]);
  });
});

describe("exit codes", () => {
  let owner: TestOwner;
  beforeAll(async () => {
    owner = await openOwner(folder.path);
  });
  afterAll(async () => await owner.close());

  test.each([
    [2, "", "USAGE"],
    [2, "key", "USAGE"],
    [2, "key foo", "Unknown command foo"],
    [2, "nonsense", "Unknown command nonsense"],
    [2, "key ad", "there are create, list, edit, revoke, rotate"],
    [2, "plans list", "Unknown command plans; there are account, user, key, plan, config, job"],
    [2, "key create", "--account"],
    [2, "key revoke", "KEY"],
    [2, "key create --account= ", "needs a value"],
    [2, "key list --acount x", "--account"],
    [2, "key list --after x", "expected the id of a key"],
    [2, "plan list now", "unexpected argument: now"],
    [2, "key create --account bob@example.org --expires soon", "expected a day"],
    [2, "key create --account bob@example.org --expires 2026-02-30", "expected a day"],
    [2, "key create --account bob@example.org --expires 2020-01-01", "has passed"],
    [2, "key create --account bob@example.org --datasets 5.5", "agent ids"],
    [2, "key create --account bob@example.org --datasets 574,999", "no dataset has the agent_id 999"],
    [2, "plan edit pro --datasets pro,999", "no dataset has the agent_id 999"],
    [2, "key rotate x --overlap long", "--overlap"],
    [2, "key create --account bob@example.org --mode lenient", "expected strict or compatible"],
    [2, "key edit x --mode lenient", "expected strict or compatible"],
    [2, "key edit x", "--mode"],
    [2, "key edit x --burst some", "--burst"],
    [2, "key edit x --unlimited --burst 5", "--unlimited"],
    [2, "key create --account bob@example.org --burst 5", "set together"],
    [3, "key edit key_nothing --mode strict", "no key"],
    [2, "account create --name x --email x", "email"],
    [2, "plan edit pro --burst many", "whole number"],
    [2, "plan edit pro", "nothing to change"],
    [3, "key revoke key_nothing", "no key"],
    [3, "key create --account nobody@example.org", "no account"],
    [3, "plan set bob@example.org gold", "free, pro, enterprise"],
    [1, "account create --name Bob --email BOB@example.org", "exists already"],
  ])("%i: almanac %s", async (expected, args, message) => {
    const { code, out, err } = await inProcess(args);
    expect([code, out]).toEqual([expected, ""]);
    expect(err).toContain(message);
    expect(err).not.toContain("    at ");
    expect(err).not.toContain("\u001B");
  });

  test("1 and one sentence without the database's password if the records cannot be reached", async () => {
    const { code, err } = await inProcess("plan list", { DATABASE_URL: "postgres://u:hush@127.0.0.1:1/x" });
    expect(code).toBe(1);
    expect(err).toMatch(/^almanac: .+\n$/);
    expect(err).not.toContain("hush");
  });

  test("prints an error as one JSON line on standard error with --json", async () => {
    const { code, err } = await almanac("key revoke key_nothing --json");
    expect(code).toBe(3);
    expect(JSON.parse(err)).toEqual({ error: { exit_code: 3, message: "no key has this id or prefix" } });
  });

  test("does not repeat a mistyped key in the message", async () => {
    const { err } = await inProcess(`key revoke alm_live_${"a".repeat(26)}_zzzzzz`);
    expect(err).not.toContain("aaaa");
  });
});

describe("a list of more than 1,000", () => {
  let owner: TestOwner;
  beforeAll(async () => {
    owner = await openOwner(folder.path);
    const { records } = owner;
    const account = await addManyAccounts(records.db);
    await addManyUsers(records.db, account);
    await addManyKeys(records.db, account);
  });
  afterAll(async () => await owner.close());

  test.each([
    ["account", "acc_"],
    ["user", "usr_"],
    ["key", "key_"],
  ])("of %ss ends with a note that there are more and how to continue", async (what, prefix) => {
    const { code, out } = await inProcess(`${what} list`);
    expect(code).toBe(0);
    const [, last = ""] = /\nThere are more: continue with --after (\w+)\n$/.exec(out) ?? [];
    expect(last).toBe(prefix + "1000".padStart(26, "0"));
    const rest = await inProcess(`${what} list --after ${last}`);
    expect(rest.out).toContain("1001");
    expect(rest.out).not.toContain("There are more");
    const page = JSON.parse((await inProcess(`${what} list --json`)).out) as Record<string, unknown>;
    expect([(page[`${what}s`] as unknown[]).length, page["has_more"]]).toEqual([1000, true]);
  });
});

describe("a past range", () => {
  test("ends now if it has no end, and never in the future", () => {
    const { from, to } = readRange("2026-11-01", undefined);
    expect([from, Date.parse(to) <= Date.now()]).toEqual(["2026-11-01T00:00:00.000Z", true]);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect(() => readRange("2026-11-01", tomorrow)).toThrow("--to is in the future");
    expect(() => readRange("2026-11-02", "2026-11-02")).toThrow("--from must be before --to");
  });
});

describe("help", () => {
  const commands = [
    "",
    "account",
    "account create",
    "account list",
    "account disable",
    "key",
    "key create",
    "key list",
  ];
  test.each([
    ...commands,
    "key revoke",
    "key edit",
    "key rotate",
    "plan",
    "plan list",
    "plan set",
    "plan edit",
    "config",
  ])("almanac %s --help", async (command) => {
    const { code, out, err } = await inProcess(`${command} --help`);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain(`USAGE almanac${command === "" ? "" : ` ${command}`}`);
    if (command.includes(" ")) expect(out).toContain("--json");
  });
});

describe("config", () => {
  test("prints every setting without opening the records", async () => {
    const { code, out } = await inProcess("config", {
      ALMANAC_DATA_DIR: "/no/such/place",
      POLYGON_RPC_URL: "https://h/hush",
    });
    expect(code).toBe(0);
    expect(out).toMatch(/ALMANAC_PORT +8080 +default +Port/);
    expect(out).not.toContain("hush");
  });

  test("exits with 2 and states what is wrong", async () => {
    const { code, out, err } = await inProcess("config --json", { ALMANAC_PORT: "x" });
    expect(code).toBe(2);
    expect(JSON.parse(out)).toContainEqual(
      expect.objectContaining({ name: "ALMANAC_PORT", value: "x", source: "environment" }),
    );
    expect(JSON.parse(err)).toMatchObject({ error: { exit_code: 2 } });
  });
});

test("output into a closed pipe does not fail the command", async () => {
  const child = spawn(process.execPath, [program, "config"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  await new Promise((resolve) => {
    child.once("close", resolve);
  });
  expect(err).not.toContain("    at ");
});

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openAccess } from "../../src/access/access.ts";
import { memoryAllowances } from "../../src/access/allowances.ts";
import { createAccount } from "../../src/access/accounts.ts";
import { createKey, revokeKey } from "../../src/access/keys.ts";
import { openRedis, type OpenRedis } from "../../src/access/redis/open-redis.ts";
import { redisAllowances } from "../../src/access/redis/redis-limits.ts";
import { openRecords } from "../../src/records/records.ts";
import { tempFolder } from "../records/temp-folder.ts";
import { redisAbsence, startRedis, type TestRedis } from "./start-redis.ts";

const absence = redisAbsence();

type Node = { readonly redis: OpenRedis; readonly said: string[]; readonly up: boolean[]; readonly close: () => void };

/** One process: its own connection, log and metrics. */
async function openNode(url: string, commandMs?: number): Promise<Node> {
  const said: string[] = [];
  const up: boolean[] = [];
  const note = (...line: unknown[]): void => void said.push(JSON.stringify(line));
  const metrics = { here: (isHere: boolean) => void up.push(isHere), without: () => undefined };
  const more = commandMs === undefined ? {} : { commandMs };
  const redis = await openRedis(url, { log: { warn: note, info: note }, metrics, ...more });
  return { redis, said, up, close: () => void redis.close() };
}

async function until(done: () => boolean): Promise<void> {
  for (let turn = 0; turn < 400 && !done(); turn += 1) await sleep(25);
  expect(done()).toBe(true);
}

const who = (requestsPerMinute: number, burst: number) => ({
  keyId: randomUUID(),
  accountId: randomUUID(),
  keyPace: null,
  plan: { requestsPerMinute, burst },
});

describe.skipIf(absence !== undefined)(`Redis${absence === undefined ? "" : ` (${absence})`}`, () => {
  let server: TestRedis;
  let nodes: Node[] = [];
  const open = async (commandMs?: number, url = server.url): Promise<Node> => {
    const node = await openNode(url, commandMs);
    nodes.push(node);
    return node;
  };
  /** Opens a node and waits until Redis has answered it, however busy the machine is. */
  const openHere = async (commandMs = 500): Promise<Node> => {
    const node = await open(commandMs);
    await until(() => node.up.at(-1) === true);
    return node;
  };
  beforeAll(async () => {
    server = await startRedis("hush-hush");
  });
  afterAll(async () => await server?.stop());
  beforeEach(() => {
    nodes = [];
  });
  afterEach(() => nodes.forEach((node) => node.close()));

  test("three processes share one bucket: together they get one burst, not one each", async () => {
    const all = await Promise.all([open(10_000), open(10_000), open(10_000)]);
    const allowances = all.map(({ redis }) => redisAllowances(redis, memoryAllowances(Date.now)));
    const one = who(1, 40);
    const turns = Array.from({ length: 50 }, () => allowances).flat();
    const taken = await Promise.all(turns.map(async (each) => await each.take(one)));
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(40);
    for (const { retryAfterSeconds } of taken.filter(({ allowed }) => !allowed)) {
      expect(retryAfterSeconds).toBeGreaterThan(30);
      expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    }
  });

  test("the wait is exact by Redis's own clock", async () => {
    const { redis } = await open(10_000);
    const allowances = redisAllowances(redis, memoryAllowances(Date.now));
    const one = who(300, 1);
    await allowances.take(one);
    const { retryAfterSeconds } = await allowances.take(one);
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(0.2);
    await sleep(retryAfterSeconds * 1000 + 5);
    expect((await allowances.take(one)).allowed).toBe(true);
  });

  test("a stored bucket expires a minute after it is full again", async () => {
    const { redis } = await open(10_000);
    const one = who(60, 30);
    await redisAllowances(redis, memoryAllowances(Date.now)).take(one);
    const left = await redis.client.pttl(`almanac:bucket:{${one.accountId}}`);
    expect(left).toBeGreaterThan(59_000);
    expect(left).toBeLessThanOrEqual(61_000);
  });

  test("if Redis goes down, a process continues from its last state, logs once, and later shares again", async () => {
    const { redis, said, up } = await openHere();
    const allowances = redisAllowances(redis, memoryAllowances(Date.now));
    const one = who(1, 10);
    said.length = 0;
    for (let turn = 0; turn < 6; turn += 1) await allowances.take(one);
    await server.down();
    const outage = await Promise.all(Array.from({ length: 20 }, () => allowances.take(one)));
    expect(outage.filter(({ allowed }) => allowed)).toHaveLength(4);
    // Failures on an open connection count only after a while: one pause makes many replies late.
    const isSaid = (): boolean => said.some((line) => line.includes("does not answer"));
    for (let turn = 0; turn < 400 && !isSaid(); turn += 1) {
      await sleep(25);
      expect((await allowances.take(one)).allowed).toBe(false);
    }
    expect(said.filter((line) => line.includes("does not answer"))).toHaveLength(1);
    await server.up();
    await until(() => up.at(-1) === true);
    expect(said.filter((line) => line.includes("are shared"))).toHaveLength(1);
    const other = await openHere();
    const fresh = who(1, 2);
    const there = redisAllowances(other.redis, memoryAllowances(Date.now));
    await allowances.take(fresh);
    expect((await there.take(fresh)).remaining).toBe(0);
  });

  test("if Redis hangs, no request waits for long and most do not wait at all", async () => {
    const { redis, up } = await openHere(100);
    const allowances = redisAllowances(redis, memoryAllowances(Date.now));
    server.freeze();
    try {
      const waits: number[] = [];
      for (let turn = 0; turn < 40; turn += 1) {
        const requested = performance.now();
        expect((await allowances.take(who(60, 5))).allowed).toBe(true);
        waits.push(performance.now() - requested);
      }
      expect(waits.filter((wait) => wait > 90).length).toBeLessThanOrEqual(4);
      expect(waits.slice(10).toSorted((a, b) => a - b)[15]).toBeLessThan(20);
      expect(up.at(-1)).toBe(false);
    } finally {
      server.thaw();
    }
    await until(() => up.at(-1) === true);
  });

  test("without Redis at start, or with a wrong password, limits are local and no secret is logged", async () => {
    const wrong = server.url.replace("hush-hush", "other-secret");
    const all = await Promise.all([open(undefined, "redis://:other-secret@127.0.0.1:1"), open(undefined, wrong)]);
    for (const { redis, said } of all) {
      const allowances = redisAllowances(redis, memoryAllowances(Date.now));
      expect(await allowances.take(who(60, 2))).toMatchObject({ allowed: true, remaining: 1 });
      expect(said).toHaveLength(1);
      expect(said[0]).toContain("does not answer");
      expect(said[0]).not.toContain("other-secret");
    }
    expect(all[1]?.said[0]).toContain("WRONGPASS");
  });

  test("a connection that breaks while it resubscribes throws nothing, and the next one listens", async () => {
    // Forwards everything, but cuts the connection that sends the second subscription.
    let subscriptions = 0;
    const cut: Socket[] = [];
    const between = createServer((here) => {
      const there = connect(Number(new URL(server.url).port), "127.0.0.1");
      cut.push(here);
      for (const [one, another] of [
        [here, there],
        [there, here],
      ] as const) {
        one.on("error", () => undefined);
        one.on("close", () => another.destroy());
      }
      here.on("data", (sent) => {
        if (sent.toString().includes("subscribe") && (subscriptions += 1) === 2) here.destroy();
        else there.write(sent);
      });
      there.pipe(here);
    });
    await once(between.listen(0, "127.0.0.1"), "listening");
    const { redis } = await open(500, server.url.replace(/\d+$/, String((between.address() as AddressInfo).port)));
    let missed = 0;
    redis.listen("almanac:test", (what) => void (missed += what === "missed" ? 1 : 0));
    await until(() => missed === 1);
    for (const socket of cut) socket.destroy();
    await until(() => missed === 2);
    expect(subscriptions).toBe(3);
    await redis.close();
    between.close();
  });

  test("a key revoked in one process is refused immediately by another that is notified", async () => {
    const folder = tempFolder();
    const records = await openRecords({ dataDir: folder.path });
    const admin = { db: records.db, clock: Date.now, actor: "test" };
    await createAccount(admin, { name: "A", email: "a@example.org" });
    const { key, summary } = await createKey(admin, { account: "a@example.org" });
    const [here, there] = await Promise.all([openHere(), openHere()]);
    // The clock is paused: on its own, neither node would ever look the key up again.
    const started = Date.now();
    const log = { warn: () => undefined };
    const options = { records, clock: () => started, log };
    const nodeA = openAccess({ ...options, redis: here.redis });
    const nodeB = openAccess({ ...options, redis: there.redis });
    // Wait until both are subscribed: the first subscription makes them forget too.
    await until(() => there.redis.client.status === "ready");
    await sleep(1000);
    expect(await nodeB.verify(key)).toBeDefined();
    await revokeKey(admin, summary.id);
    expect(await nodeB.verify(key)).toBeDefined();
    nodeA.forget();
    let turns = 0;
    while ((await nodeB.verify(key)) !== undefined && turns < 100) {
      turns += 1;
      await sleep(20);
    }
    expect(turns).toBeLessThan(100);
    await nodeA.close();
    await nodeB.close();
    await records.close();
    folder.remove();
  });

  test("a known key stays known if Redis disconnects while the records are unavailable", async () => {
    const folder = tempFolder();
    const records = await openRecords({ dataDir: folder.path });
    const admin = { db: records.db, clock: Date.now, actor: "test" };
    await createAccount(admin, { name: "A", email: "a@example.org" });
    const { key } = await createKey(admin, { account: "a@example.org" });
    const { redis } = await openHere();
    let now = Date.now();
    const access = openAccess({ records, clock: () => now, log: { warn: () => undefined }, redis });
    let reported = 0;
    let missed = 0;
    redis.listen("almanac:test", (what) => {
      if (what === "published") reported += 1;
      else missed += 1;
    });
    await until(() => {
      redis.publish("almanac:test");
      return reported > 0;
    });
    expect(await access.verify(key)).toBeDefined();
    await sql`alter table api_keys rename to away`.execute(records.db);
    const before = missed;
    await server.down();
    await server.up();
    await until(() => missed > before);
    now += 1000;
    expect(await access.verify(key)).toBeDefined();
    access.forget();
    await expect(access.verify(key)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await access.close();
    await records.close();
    folder.remove();
  });
});

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/definition/sql.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { fillsFrom } from "../ingest/fill-connector.ts";
import { findPostgres } from "../records/start-postgres.ts";
import { LEASE_SECONDS, openLeaderWorld, type LeaderProcess, type LeaderWorld, type Standing } from "./leader-world.ts";

const found = findPostgres();
const reason = "reason" in found ? ` (left out: ${found.reason})` : "";
/** Polls rarely: processes start, take over and derive meanwhile, and need the machine more than the polling. */
const PATIENT = { timeout: 90_000, interval: 250 };
/** A standby that notices immediately that no process leads. */
const WATCHFUL: Standing = { lookMs: 100 };
/** Nothing here waits for this lease to expire. */
const LONG_LEASE: Standing = { ...WATCHFUL, leaseSeconds: 60 };

describe.skipIf("reason" in found)(`several processes with one leader${reason}`, () => {
  let world: LeaderWorld;
  const running = new Map<string, LeaderProcess>();
  beforeAll(async () => {
    world = await openLeaderWorld("bin" in found ? found.bin : "");
  });
  afterAll(() => world.end());

  const start = async (standing?: Standing): Promise<LeaderProcess> => {
    const started = await world.start(standing);
    running.set(started.label, started);
    return started;
  };
  const leader = async (): Promise<LeaderProcess> => {
    await expect.poll(async () => running.has((await world.leader()) ?? ""), PATIENT).toBe(true);
    return running.get((await world.leader()) ?? "") as LeaderProcess;
  };
  const untilAllStored = () => expect.poll(world.fills, PATIENT).toEqual(world.upstream.all());
  const untilAllDerived = async (): Promise<void> => {
    await untilAllStored();
    await expect.poll(tradesDerived, PATIENT).toBe(world.upstream.newest());
    await expect.poll(tradesFolded, PATIENT).toBe(world.upstream.newest());
  };
  const endWell = async (one: LeaderProcess): Promise<void> => {
    one.signal("SIGTERM");
    expect(await one.ended, one.said()).toBe(0);
    running.delete(one.label);
  };
  const sendFrames = async (count: number): Promise<void> => {
    await expect.poll(world.venue.isReceived, PATIENT).toBe(true);
    world.venue.send(count);
  };
  const count = async (statement: ReturnType<typeof sql>): Promise<number> =>
    Number((await world.store.rows<{ n: string }>(statement))[0]?.n ?? 0);
  const tradesDerived = () => count(sql`SELECT sum(trade_count) AS n FROM polymarket_candles_1m FINAL`);
  const tradesFolded = () => count(sql`SELECT sum(buys + sells) AS n FROM wallet_days FINAL WHERE NOT is_gone`);

  test("one of two processes started together ingests and derives everything, and stores every row once", async () => {
    await Promise.all([start(), start()]);
    await leader();
    await sendFrames(20);
    await expect.poll(async () => (await world.settle()).stored, PATIENT).toBe(20);
    await untilAllDerived();
  });

  test("the other process replaces a killed leader within the lease, and resumes from its cursor", async () => {
    const killed = await leader();
    world.upstream.add(200);
    killed.signal("SIGKILL");
    await killed.ended;
    running.delete(killed.label);
    world.upstream.add(50);
    await untilAllDerived();
    expect((await leader()).label).not.toBe(killed.label);
  });

  test("a leader suspended for longer than its lease writes nothing when it resumes", async () => {
    const stopped = await leader();
    await start(WATCHFUL);
    // While it is storing rows.
    world.upstream.add(300);
    stopped.signal("SIGSTOP");
    await expect.poll(async () => (await world.leader()) ?? stopped.label, PATIENT).not.toBe(stopped.label);
    await untilAllStored();
    const next = await leader();
    world.upstream.add(200);
    stopped.signal("SIGCONT");
    await untilAllStored();
    world.upstream.add(10);
    await untilAllDerived();
    expect(await world.leader()).toBe(next.label);
  });

  test("rows that arrive while PostgreSQL is away for longer than a lease wait and are stored once", async () => {
    const kept = await leader();
    const before = await world.settle();
    await sendFrames(10);
    await expect.poll(async () => (await world.settle()).stored, PATIENT).toBe(before.stored + 10);
    await world.postgres.down();
    world.upstream.add(50);
    world.venue.send(10);
    await sleep(LEASE_SECONDS * 1000 + 100);
    world.venue.send(10);
    await world.postgres.up();
    await untilAllStored();
    await expect.poll(async () => (await world.settle()).stored, PATIENT).toBe(before.stored + 30);
    expect(await world.settle()).toMatchObject({ doubled: 0, missing: before.missing, undeclared: [] });
    // The standby left it to the leader to renew first.
    expect(await world.leader()).toBe(kept.label);
  });

  test("a command that writes names the leader if there is one, and leads while it runs", async () => {
    const { label } = await leader();
    await expect(world.command(() => Promise.resolve())).rejects.toThrow(
      `${label} ingests and writes there: run it there, or stop that process`,
    );
    await Promise.all([...running.values()].map(endWell));
    expect(await world.leader()).toBeUndefined();
    const first = world.upstream.newest();
    world.upstream.add(5);
    await world.command(async ({ store, sure }) => {
      await sure?.();
      const waiting = await start(LONG_LEASE);
      // As long as a lease that is not renewed takes to expire and to be noticed.
      await sleep(LEASE_SECONDS * 1000 + 500);
      expect(await world.leader()).not.toBe(waiting.label);
      await store.insert(polymarketFills, fillsFrom(first, 5));
    });
    await leader();
    await untilAllDerived();
  });

  test("a leader told to stop hands over immediately", async () => {
    // It waited for the command to end.
    const first = await leader();
    const second = await start(LONG_LEASE);
    world.upstream.add(40);
    await endWell(first);
    world.upstream.add(30);
    await untilAllDerived();
    expect(await world.leader()).toBe(second.label);
    expect(await world.settle()).toMatchObject({ doubled: 0, undeclared: [] });
    await endWell(second);
    expect(await world.leader()).toBeUndefined();
  });
});

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { sql } from "../../src/definition/sql.ts";
import { findPostgres } from "../records/start-postgres.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { fillsFrom } from "../ingest/fill-connector.ts";
import { openSharingWorld, type SharingProcess, type SharingWorld } from "./sharing-world.ts";

const found = findPostgres();
const reason = "reason" in found ? ` (left out: ${found.reason})` : "";
const random = seededRandom();
const FILLS = "numbered-fills";
const FRAMES = "numbered-frames";
/** What a command stores: so many inserts, each of so many rows. */
const [A_COMMANDS, A_BATCH] = [60, 5];
/** Processes start, take over and derive meanwhile. */
const PATIENT = { timeout: 90_000 };

describe.skipIf("reason" in found)(`processes that share the work${reason}`, () => {
  let world: SharingWorld;
  const running = new Map<string, SharingProcess>();
  beforeAll(async () => {
    world = await openSharingWorld("bin" in found ? found.bin : "");
  });
  afterAll(() => world.end());

  const start = async (...given: Parameters<SharingWorld["start"]>): Promise<SharingProcess> => {
    const started = await world.start(...given);
    running.set(started.label, started);
    return started;
  };
  const ownerOf = async (lease: string): Promise<SharingProcess> => {
    await expect.poll(async () => running.has((await world.owners())[lease] ?? ""), PATIENT).toBe(true);
    return running.get((await world.owners())[lease] ?? "") as SharingProcess;
  };
  const untilAllStored = () => expect.poll(world.fills, PATIENT).toEqual(world.upstream.all());
  const framesSettled = () => world.settle();
  const untilAllWorkedOut = async (): Promise<void> => {
    await untilAllStored();
    await expect.poll(tradesDerived, PATIENT).toBe(world.upstream.newest());
    await expect.poll(tradesFolded, PATIENT).toBe(world.upstream.newest());
  };
  const endWell = async (one: SharingProcess): Promise<void> => {
    one.signal("SIGTERM");
    expect(await one.ended, one.said()).toBe(0);
    running.delete(one.label);
  };
  const sendFrames = async (count: number): Promise<void> => {
    await expect.poll(world.venue.isHeard, PATIENT).toBe(true);
    world.venue.send(count);
  };
  const tradesDerived = async () => {
    const [row] = await world.store.rows<{ n: string }>(
      sql`SELECT sum(trade_count) AS n FROM polymarket_candles_1m FINAL`,
    );
    return Number(row?.n ?? 0);
  };
  const tradesFolded = async () => {
    const [row] = await world.store.rows<{ n: string }>(
      sql`SELECT sum(buys + sells) AS n FROM wallet_days FINAL WHERE NOT is_gone`,
    );
    return Number(row?.n ?? 0);
  };

  test("two that start at once have a stream each, and every row is stored once", async () => {
    await Promise.all([start("all"), start("all")]);
    await untilAllStored();
    await expect
      .poll(
        async () => new Set(await Promise.all([FILLS, FRAMES].map(async (name) => (await world.owners())[name]))).size,
        PATIENT,
      )
      .toBe(2);
    await sendFrames(20);
    await expect.poll(async () => (await framesSettled()).stored, PATIENT).toBe(20);
    await untilAllWorkedOut();
  });

  test("an owner that is killed is followed by another, which goes on from its cursor", async () => {
    const killed = await ownerOf(FILLS);
    world.upstream.add(200);
    killed.signal("SIGKILL");
    await killed.ended;
    running.delete(killed.label);
    world.upstream.add(50);
    const next = await start("all");
    await untilAllStored();
    expect((await ownerOf(FILLS)).label).not.toBe(killed.label);
    await expect.poll(tradesDerived, PATIENT).toBe(world.upstream.newest());
    await expect.poll(async () => Object.values(await world.owners()).includes(next.label), PATIENT).toBe(true);
  });

  test("an owner that is stopped for longer than its lease writes nothing when it goes on", async () => {
    const stopped = await ownerOf(FILLS);
    // In the middle of storing.
    world.upstream.add(300);
    stopped.signal("SIGSTOP");
    await expect.poll(async () => (await world.owners())[FILLS] ?? stopped.label, PATIENT).not.toBe(stopped.label);
    await untilAllStored();
    const owner = await ownerOf(FILLS);
    world.upstream.add(200);
    stopped.signal("SIGCONT");
    await untilAllStored();
    world.upstream.add(10);
    await untilAllStored();
    expect((await world.owners())[FILLS]).toBe(owner.label);
    await untilAllWorkedOut();
  });

  test("a command that stores the very rows that the owner gathers stores none twice", async () => {
    await ownerOf(FILLS);
    await world.beside(async (store) => {
      for (let round = 0; round < A_COMMANDS; round += 1) {
        const first = world.upstream.newest();
        world.upstream.add(A_BATCH);
        // The owner asks for what is new twenty times a second.
        await sleep(random() * 50);
        await store.insert(polymarketFills, fillsFrom(first, A_BATCH));
      }
    });
    await untilAllStored();
  });

  test("PostgreSQL away for longer than a lease: what came meanwhile waits and is stored once", async () => {
    const kept = await ownerOf(FRAMES);
    await Promise.all([...running.values()].filter((one) => one !== kept).map(endWell));
    await expect.poll(async () => (await world.owners())[FILLS], PATIENT).toBe(kept.label);
    const before = await framesSettled();
    await sendFrames(10);
    await expect.poll(async () => (await framesSettled()).stored, PATIENT).toBe(before.stored + 10);
    await world.postgres.down();
    world.upstream.add(50);
    world.venue.send(10);
    await sleep(4000);
    world.venue.send(10);
    await world.postgres.up();
    await untilAllStored();
    await expect.poll(async () => (await framesSettled()).stored, PATIENT).toBe(before.stored + 30);
    expect(await framesSettled()).toMatchObject({ doubled: 0, missing: before.missing, undeclared: [] });
    await endWell(kept);
  });

  test("roles apart: derive works out what ingest stores; who is told to end hands over at once", async () => {
    // Nothing here waits for such a lease to run out.
    const [first, deriving] = await Promise.all([start("ingest", 60), start("derive", 60)]);
    await expect.poll(world.owners, PATIENT).toEqual({
      [FILLS]: first.label,
      [FRAMES]: first.label,
      derive: deriving.label,
    });
    world.upstream.add(40);
    await untilAllWorkedOut();
    const second = await start("ingest", 60);
    await expect
      .poll(async () => Object.values(await world.owners()).toSorted(), PATIENT)
      .toEqual([first.label, deriving.label, second.label].toSorted());
    world.upstream.add(10);
    await endWell(first);
    const third = await start("derive", 60);
    await endWell(deriving);
    world.upstream.add(30);
    await untilAllWorkedOut();
    expect(await world.owners()).toEqual({ [FILLS]: second.label, [FRAMES]: second.label, derive: third.label });
    expect(await framesSettled()).toMatchObject({ doubled: 0, undeclared: [] });
    await Promise.all([endWell(second), endWell(third)]);
    expect(await world.owners()).toEqual({});
  });
});

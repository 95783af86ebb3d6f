import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  giveLeasesBack,
  lookAtSharing,
  nameLeases,
  renewLeases,
  takeLeases,
} from "../../src/ingest/leases/lease-record.ts";
import type { HeldLease } from "../../src/records/leased-sessions.ts";
import { openRecords, type Records } from "../../src/records/records.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../records/start-postgres.ts";

const found = findPostgres();
const reason = "reason" in found ? ` (left out: ${found.reason})` : "";
const NAMES = ["one", "two"];

describe.skipIf("reason" in found)(`leases on PostgreSQL${reason}`, () => {
  let postgres: TestPostgres;
  let records: Records;
  beforeAll(async () => {
    postgres = await startPostgres("bin" in found ? found.bin : "");
    records = await openRecords({ url: await postgres.newDatabase() });
    await nameLeases(records.db, NAMES);
  });
  afterAll(async () => {
    await records.close();
    await postgres.stop();
  });

  const take = async (id: string, seconds = 100) =>
    (await takeLeases(records.db, id, { names: NAMES, seconds }))?.held ?? [];
  const runOut = () =>
    records.db
      .updateTable("leases")
      .set({ expires_at: sql<Date>`clock_timestamp() - interval '1 second'` })
      .execute();
  const write = (held: readonly HeldLease[], text: string) =>
    records.under(held).insertInto("notices").values({ stream: "x", kind: "write", text }).execute();

  const insertSlowly = (held: readonly HeldLease[], text: string, meanwhile: () => Promise<unknown>) =>
    records
      .under(held)
      .transaction()
      .execute(async (work) => {
        await meanwhile();
        await work.insertInto("notices").values({ stream: "x", kind: "slow", text }).execute();
      });

  type Step = {
    readonly do: "take" | "renew" | "run out" | "give back" | "write" | "write and take";
    readonly who: number;
  };
  const step: fc.Arbitrary<Step> = fc.record({
    do: fc.constantFrom("take", "renew", "run out", "give back", "write", "write and take"),
    who: fc.integer({ min: 0, max: 2 }),
  });

  const playSteps = async (steps: readonly Step[]): Promise<void> => {
    await records.db.deleteFrom("notices").execute();
    await runOut();
    const held = new Map<number, readonly HeldLease[]>();
    const textOf = (who: number): string => `${held.get(who)?.[0]?.token ?? 0} ${who}`;
    const writeAs = async (who: number): Promise<void> => {
      const mine = held.get(who);
      if (mine !== undefined) await write(mine, textOf(who)).catch(requireLost);
    };
    const takeAs = async (who: number): Promise<void> => {
      const taken = await take(`p${who}`);
      if (taken.length > 0) held.set(who, taken);
    };
    for (const { do: what, who } of steps) {
      if (what === "run out") await runOut();
      else if (what === "take") await takeAs(who);
      else if (what === "write") await writeAs(who);
      else if (what === "write and take") await Promise.all([writeAs(who), takeAs((who + 1) % 3), writeAs(who)]);
      else if (what === "give back") await giveLeasesBack(records.db, `p${who}`, held.get(who) ?? []);
      else {
        const sharer = { id: `p${who}`, label: "test", role: "all" };
        await renewLeases(records.db, sharer, { held: held.get(who) ?? [], seconds: 100 });
      }
    }
    const rows = await records.db.selectFrom("notices").select("text").orderBy("id").execute();
    const written = rows.map(({ text }) => text.split(" ").map(Number) as [number, number]);
    const writers = new Map(written);
    for (const [token, who] of written) expect(writers.get(token)).toBe(who);
    const tokens = written.map(([token]) => token);
    expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
  };

  test("whatever processes do and whenever leases run out, only who took them last writes", async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), playSteps), { numRuns: 15 });
  });

  test("a transaction under a lease keeps it from being taken until it ends; a later one is refused", async () => {
    await runOut();
    const held = await take("a", 0.2);
    await insertSlowly(held, "in time", async () => {
      await sleep(300);
      expect(await take("b")).toEqual([]);
    });
    expect((await take("b")).map(({ name }) => name).toSorted()).toEqual(NAMES);
    await expect(insertSlowly(held, "late", () => sleep(1))).rejects.toMatchObject({ problem: "lease_lost" });
    await expect(write(held, "late")).rejects.toMatchObject({ problem: "lease_lost" });
    const texts = await records.db.selectFrom("notices").select("text").where("kind", "=", "slow").execute();
    expect(texts).toEqual([{ text: "in time" }]);
  });

  test("a process that is stopped inside of a transaction keeps nobody from taking over: the server ends it", async () => {
    await runOut();
    const held = await take("a", 0.2);
    const goesOn = Promise.withResolvers<void>();
    const stopped = insertSlowly(held, "stopped", () => goesOn.promise);
    const refused = expect(stopped).rejects.toThrow();
    await expect.poll(async () => (await take("b")).length, { timeout: 60_000, interval: 200 }).toBe(NAMES.length);
    goesOn.resolve();
    await refused;
    expect(await records.db.selectFrom("notices").where("text", "=", "stopped").select("id").execute()).toEqual([]);
  });

  test("a lease that ran out and that nobody took can be renewed; one given back is free at once", async () => {
    await runOut();
    const held = await take("a");
    await runOut();
    const sharer = { id: "a", label: "test", role: "ingest" };
    expect([...(await renewLeases(records.db, sharer, { held, seconds: 100 }))].toSorted()).toEqual(NAMES);
    expect((await lookAtSharing(records.db)).free).toEqual([]);
    expect((await lookAtSharing(records.db)).roles.get("ingest")).toBe(1);
    await giveLeasesBack(records.db, "a", held);
    const free = (await lookAtSharing(records.db)).free.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(free).toEqual(NAMES.map((name) => ({ name, ranOut: false })));
    await expect(write(held, "late")).resolves.toBeDefined();
    await take("b");
    await expect(write(held, "late")).rejects.toMatchObject({ problem: "lease_lost" });
  });
});

function requireLost(error: unknown): void {
  expect(error).toMatchObject({ problem: "lease_lost" });
}

import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findLeader, giveLeadBack, renewLead, takeLead } from "../../src/ingest/leader/leader-record.ts";
import { openRecords, type Records } from "../../src/records/records.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../records/start-postgres.ts";

const found = findPostgres();
const reason = "reason" in found ? ` (left out: ${found.reason})` : "";

describe.skipIf("reason" in found)(`the leader's lease on PostgreSQL${reason}`, () => {
  let postgres: TestPostgres;
  let records: Records;
  beforeAll(async () => {
    postgres = await startPostgres("bin" in found ? found.bin : "");
    records = await openRecords({ url: await postgres.newDatabase() });
  });
  afterAll(async () => {
    await records.close();
    await postgres.stop();
  });

  const take = async (label: string, seconds = 100, mayTakeOver = true): Promise<number | undefined> =>
    (await takeLead(records.db, { label, seconds, mayTakeOver }))?.token;
  const mustTake = async (label: string, seconds?: number): Promise<number> => {
    const token = await take(label, seconds);
    if (token === undefined) throw new Error(`${label} does not lead`);
    return token;
  };
  const runOut = () =>
    records.db
      .updateTable("leases")
      .set({ expires_at: sql<Date>`clock_timestamp() - interval '1 second'` })
      .execute();
  const write = (token: number, text: string) =>
    records.under(token).insertInto("notices").values({ stream: "x", kind: "write", text }).execute();

  const insertSlowly = (token: number, text: string, meanwhile: () => Promise<unknown>) =>
    records
      .under(token)
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
    const held = new Map<number, number>();
    const textOf = (who: number): string => `${held.get(who) ?? 0} ${who}`;
    const writeAs = async (who: number): Promise<void> => {
      const mine = held.get(who);
      if (mine !== undefined) await write(mine, textOf(who)).catch(requireLost);
    };
    const takeAs = async (who: number): Promise<void> => {
      const taken = await take(`p${who}`);
      if (taken !== undefined) held.set(who, taken);
    };
    for (const { do: what, who } of steps) {
      if (what === "run out") await runOut();
      else if (what === "take") await takeAs(who);
      else if (what === "write") await writeAs(who);
      else if (what === "write and take") await Promise.all([writeAs(who), takeAs((who + 1) % 3), writeAs(who)]);
      else if (what === "give back") await giveLeadBack(records.db, held.get(who) ?? -1);
      else await renewLead(records.db, held.get(who) ?? -1, 100);
    }
    const rows = await records.db.selectFrom("notices").select("text").orderBy("id").execute();
    const written = rows.map(({ text }) => text.split(" ").map(Number) as [number, number]);
    const writers = new Map(written);
    for (const [token, who] of written) expect(writers.get(token)).toBe(who);
    const tokens = written.map(([token]) => token);
    expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
  };

  test("only the last process that took the lease writes, whatever processes do and whenever leases expire", async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), playSteps), { numRuns: 15 });
  });

  test("a transaction under a lease prevents a takeover until it ends; a later one is rejected", async () => {
    await runOut();
    const token = await mustTake("a", 0.2);
    await insertSlowly(token, "in time", async () => {
      await sleep(300);
      expect(await take("b")).toBeUndefined();
    });
    await mustTake("b");
    await expect(insertSlowly(token, "late", () => sleep(1))).rejects.toMatchObject({ problem: "lease_lost" });
    await expect(write(token, "late")).rejects.toMatchObject({ problem: "lease_lost" });
    const texts = await records.db.selectFrom("notices").select("text").where("kind", "=", "slow").execute();
    expect(texts).toEqual([{ text: "in time" }]);
  });

  test("a process suspended inside a transaction does not block a takeover: the server ends the transaction", async () => {
    await runOut();
    const token = await mustTake("a", 0.2);
    const goesOn = Promise.withResolvers<void>();
    const stopped = insertSlowly(token, "stopped", () => goesOn.promise);
    const refused = expect(stopped).rejects.toThrow();
    await expect.poll(() => take("b"), { interval: 200 }).toBe(token + 1);
    goesOn.resolve();
    await refused;
    expect(await records.db.selectFrom("notices").where("text", "=", "stopped").select("id").execute()).toEqual([]);
  });

  test("an expired lease that no process took can be renewed; a returned one is free at once, also to waiters", async () => {
    await runOut();
    const token = await mustTake("a");
    expect(await findLeader(records.db)).toMatchObject({ process: "a", takes: token });
    await runOut();
    expect(await findLeader(records.db)).toBeUndefined();
    expect(await take("b", 100, false)).toBeUndefined();
    expect(await renewLead(records.db, token, 100)).toBe(true);
    await giveLeadBack(records.db, token);
    await expect(write(token, "late")).resolves.toBeDefined();
    expect(await take("b", 100, false)).toBe(token + 1);
    expect(await renewLead(records.db, token, 100)).toBe(false);
    await expect(write(token, "late")).rejects.toMatchObject({ problem: "lease_lost" });
  });
});

function requireLost(error: unknown): void {
  expect(error).toMatchObject({ problem: "lease_lost" });
}

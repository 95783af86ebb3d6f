import { afterAll, beforeAll, expect, test } from "vitest";
import { finishBackfill } from "../../src/ingest/control/backfill-record.ts";
import { coalesceGaps } from "../../src/ingest/gaps/coalesce-gaps.ts";
import { openEngines } from "./open-engines.ts";

const START = Date.UTC(2026, 10, 20);
const COUNT = 1500;
const at = (minutes: number): Date => new Date(START + minutes * 60_000);

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(async () => engines.close());

test("keeps every open gap if a backfill ends and fills some while others are coalesced", async () => {
  const { db } = engines;
  const values = Array.from({ length: COUNT }, (_, index) => ({
    stream: "trades",
    from_at: at(index),
    to_at: new Date(at(index).getTime() + 30_000),
    reason: "rows are missing",
    unfillable: "no enabled stream has it",
  }));
  await db.insertInto("gaps").values(values).execute();
  // The backfill ends right before the first transaction.
  let isFinished = false;
  const racing = new Proxy(db, {
    get: (target, name) => {
      if (name !== "transaction") {
        const found: unknown = Reflect.get(target, name, target);
        return typeof found === "function" ? (found.bind(target) as unknown) : found;
      }
      return () => ({
        execute: async (work: Parameters<ReturnType<typeof db.transaction>["execute"]>[0]) => {
          const range = { stream: "trades", from: at(0).toISOString(), to: at(1).toISOString() };
          if (!isFinished) await finishBackfill(db, range, new Date());
          isFinished = true;
          await target.transaction().execute(work);
        },
      });
    },
  });
  await coalesceGaps(racing);
  expect(isFinished).toBe(true);
  const open = await db.selectFrom("gaps").selectAll().where("filled_at", "is", null).execute();
  expect(open.length).toBeLessThan(COUNT / 2);
  expect(open.reduce((sum, { alike }) => sum + alike, 0)).toBe(COUNT - 1);
  for (let index = 1; index < COUNT; index += 1) {
    const [from, to] = [at(index).getTime(), at(index).getTime() + 30_000];
    expect(open.some((gap) => gap.from_at.getTime() <= from && (gap.to_at?.getTime() ?? 0) >= to)).toBe(true);
  }
});

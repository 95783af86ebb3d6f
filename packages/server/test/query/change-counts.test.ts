import { expect, test } from "vitest";
import { fromDefinition, sql } from "../../src/definition/sql.ts";
import { createChangeCounts } from "../../src/store/change-counts.ts";
import { table } from "../fixtures/sample-rows.ts";

const [fills, candles] = [table("polymarket_fills"), table("polymarket_candles_1m")];
const [copy] = Object.keys(fills.copies ?? {});

test("a writing statement invalidates what is cached of the table that it names, and of no other", async () => {
  let now = 0;
  const counts = createChangeCounts(() => now);
  const stamps = (): number[] => [counts.stampOf([fills]), counts.stampOf([candles])];
  const before = stamps();
  now = 5_000;
  expect(counts.unchangedMs([fills])).toBe(5_000);
  const running = counts.rewriting(sql`INSERT INTO ${candles} SELECT 1`, async () =>
    counts.unchangedMs([candles, fills]),
  );
  expect(counts.unchangedMs([fills])).toBe(5_000);
  expect(await running).toBe(0);
  expect(stamps()[0]).toBe(before[0]);
  expect(stamps()[1]).not.toBe(before[1]);
  expect([counts.unchangedMs([fills]), counts.unchangedMs([candles, fills])]).toEqual([5_000, 0]);
  const middle = stamps();
  await counts.rewriting(fromDefinition(`DELETE FROM ${copy} WHERE 1`), async () => undefined);
  expect(stamps()[0]).not.toBe(middle[0]);
  expect(stamps()[1]).toBe(middle[1]);
});

test("a statement that names no table, or that fails, invalidates everything it may have changed", async () => {
  const counts = createChangeCounts();
  const [first] = [counts.stampOf([fills, candles])];
  await counts.rewriting(fromDefinition("SYSTEM RELOAD DICTIONARIES"), async () => undefined);
  const [second, ofFills] = [counts.stampOf([fills, candles]), counts.stampOf([fills])];
  expect(second).not.toBe(first);
  const failing = counts.rewriting(sql`ALTER TABLE ${fills} DELETE WHERE 1`, () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  expect(counts.stampOf([fills])).not.toBe(ofFills);
  expect(counts.ownStampOf(fills)).toBe(0);
});

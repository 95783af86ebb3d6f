import { expect, test } from "vitest";
import { createRowClock } from "../../src/ingest/socket/row-clock.ts";
import { bookEvents } from "../../src/tables/book-events.ts";

const NOON = Date.parse("2026-11-21T12:00:00Z");
const rows = (ms: number, kind: "change" | "snapshot" = "change") => [
  { table: bookEvents, rows: [{ ts: new Date(ms).toISOString(), kind }] },
];

test("rows that came late count for a while, and no longer", () => {
  const clock = createRowClock({ usualMs: 0 });
  expect(clock.earliest(NOON)).toBe(NOON - 1000);
  clock.see(rows(NOON - 20_000), NOON);
  clock.see(rows(NOON + 300), NOON + 100);
  expect(clock.earliest(NOON + 30_000)).toBe(NOON + 10_000);
  expect(clock.latest(NOON + 30_000)).toBe(NOON + 30_200);
  clock.see(rows(NOON + 69_990), NOON + 70_000);
  expect(clock.earliest(NOON + 70_000)).toBe(NOON + 50_000);
  clock.see(rows(NOON + 129_980), NOON + 130_000);
  expect(clock.earliest(NOON + 130_000)).toBe(NOON + 129_980);
  expect(clock.latest(NOON + 130_000)).toBe(NOON + 130_000);
});

test("a whole state of before and a row of long ago say nothing of lateness", () => {
  const clock = createRowClock({ usualMs: 0 });
  clock.see(rows(NOON - 5), NOON);
  clock.see(rows(NOON - 30_000, "snapshot"), NOON);
  clock.see(rows(NOON - 90_000), NOON);
  expect(clock.earliest(NOON)).toBe(NOON - 5);
});

test("rows that are further ahead of their arrival than before say so, on the next connection too, and count again at last", () => {
  const usual = { usualMs: 0 };
  const clock = createRowClock(usual);
  expect(clock.see(rows(NOON + 2100), NOON)).toBe(NOON + 2100);
  expect(clock.see(rows(NOON + 300), NOON)).toBeUndefined();
  expect(clock.see(rows(NOON + 2200), NOON)).toBeUndefined();
  expect(clock.see(rows(NOON + 65_000), NOON + 100)).toBe(NOON + 65_000);
  expect(clock.see(rows(NOON + 65_000, "snapshot"), NOON + 100)).toBe(NOON + 65_000);
  expect(clock.see(rows(NOON, "snapshot"), NOON + 100)).toBeUndefined();
  expect(clock.see([], NOON + 100)).toBeUndefined();
  expect(clock.latest(NOON)).toBe(NOON + 2200);
  const next = createRowClock(usual);
  const minute = 60_000;
  expect(next.see(rows(NOON + 6000), NOON)).toBe(NOON + 6000);
  expect(next.see(rows(NOON + 2 * minute), NOON + 2 * minute)).toBeUndefined();
  expect(next.see(rows(NOON + 3 * minute + 9000), NOON + 3 * minute)).toBe(NOON + 3 * minute + 9000);
  expect(next.see(rows(NOON + 12 * minute + 9000), NOON + 12 * minute)).toBe(NOON + 12 * minute + 9000);
  expect(next.see(rows(NOON + 13 * minute + 9000), NOON + 13 * minute)).toBeUndefined();
});

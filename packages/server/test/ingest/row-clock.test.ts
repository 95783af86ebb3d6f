import { expect, test } from "vitest";
import { behindAhead, createRowClock, type VenueLead } from "../../src/ingest/socket/row-clock.ts";
import { bookEvents } from "../../src/tables/book-events.ts";

const NOON = Date.parse("2026-11-21T12:00:00Z");
const rows = (ms: number, kind: "change" | "snapshot" = "change") => [
  { table: bookEvents, rows: [{ ts: new Date(ms).toISOString(), kind }] },
];

const ahead = (timestamp: number) => ({ is: "ahead", timestamp: timestamp });
const back = (timestamp: number) => ({ is: "back", timestamp: timestamp });

test("rows that arrive late extend the lateness for a while only", () => {
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

test("old snapshots and rows from long ago do not affect the lateness", () => {
  const clock = createRowClock({ usualMs: 0 });
  clock.see(rows(NOON - 5), NOON);
  clock.see(rows(NOON - 30_000, "snapshot"), NOON);
  clock.see(rows(NOON - 90_000), NOON);
  expect(clock.earliest(NOON)).toBe(NOON - 5);
});

test("reports rows further ahead than usual, also on the next connection, until the lead counts as normal", () => {
  const usual = { usualMs: 0 };
  const clock = createRowClock(usual);
  expect(clock.see(rows(NOON + 2100), NOON)).toEqual(ahead(NOON + 2100));
  expect(clock.see(rows(NOON + 300), NOON)).toBeUndefined();
  expect(clock.see(rows(NOON + 2200), NOON)).toBeUndefined();
  expect(clock.see(rows(NOON + 65_000), NOON + 100)).toEqual(ahead(NOON + 65_000));
  expect(clock.see(rows(NOON + 65_000, "snapshot"), NOON + 100)).toEqual(ahead(NOON + 65_000));
  expect(clock.see(rows(NOON, "snapshot"), NOON + 100)).toBeUndefined();
  expect(clock.see([], NOON + 100)).toBeUndefined();
  expect(clock.latest(NOON)).toBe(NOON + 2200);
  const next = createRowClock(usual);
  const minute = 60_000;
  expect(next.see(rows(NOON + 6000), NOON)).toEqual(ahead(NOON + 6000));
  expect(next.see(rows(NOON + 2 * minute), NOON + 2 * minute)).toBeUndefined();
  expect(next.see(rows(NOON + 3 * minute + 9000), NOON + 3 * minute)).toEqual(ahead(NOON + 3 * minute + 9000));
  expect(next.see(rows(NOON + 12 * minute + 9000), NOON + 12 * minute)).toEqual(ahead(NOON + 12 * minute + 9000));
  expect(next.see(rows(NOON + 13 * minute + 9000), NOON + 13 * minute)).toBeUndefined();
});

test("moves an old snapshot behind rows stamped ahead once these are past", () => {
  const lead: VenueLead = { usualMs: 0 };
  const old = rows(NOON + 10_000, "snapshot");
  expect(behindAhead(old, lead, NOON + 70_000)).toBe(old);
  lead.latestAheadMs = NOON + 60_000;
  expect(behindAhead(old, lead, NOON + 59_000)).toBe(old);
  expect(behindAhead(old, lead, NOON + 70_000)).toEqual(rows(NOON + 60_001, "snapshot"));
  for (const other of [rows(NOON + 10_000), rows(NOON + 65_000, "snapshot")])
    expect(behindAhead(other, lead, NOON + 70_000)).toEqual(other);
});

test("timestamps of a connection that go back are wrong until they are as close to arrival as before", () => {
  const lead: VenueLead = { usualMs: 0 };
  const [clock, other] = [createRowClock(lead), createRowClock(lead)];
  expect(clock.see(rows(NOON - 100), NOON)).toBeUndefined();
  expect(other.see(rows(NOON - 100), NOON)).toBeUndefined();
  expect(clock.see(rows(NOON - 1900), NOON + 100)).toBeUndefined();
  expect(clock.see(rows(NOON - 86_400_000, "snapshot"), NOON + 200)).toBeUndefined();
  expect(clock.see(rows(NOON - 4000), NOON + 1000)).toEqual(back(NOON - 4000));
  // Older rows from another connection, and rows past the earlier timestamps by a clock that is still behind.
  expect(other.see(rows(NOON + 900), NOON + 1100)).toBeUndefined();
  expect(other.see(rows(NOON + 4000), NOON + 9000)).toEqual(back(NOON + 4000));
  expect(lead.back?.isOver).toBe(false);
  const next = createRowClock(lead);
  expect(next.see(rows(NOON + 5000), NOON + 10_000)).toEqual(back(NOON + 5000));
  expect(lead.back?.isOver).toBe(false);
  expect(next.see(rows(NOON + 10_900), NOON + 11_000)).toBeUndefined();
  expect(lead.back?.isOver).toBe(true);
});

test("a venue timestamp that rows lack reveals a clock that went back, at the time of the rows", () => {
  const lead: VenueLead = { usualMs: 0 };
  const clock = createRowClock(lead);
  expect(clock.see(rows(NOON - 100), NOON, NOON - 100)).toBeUndefined();
  expect(clock.see(rows(NOON + 5000), NOON + 5000, NOON - 3_600_000)).toEqual(back(NOON + 5000));
  expect(clock.see(rows(NOON + 6000), NOON + 6000, NOON - 3_599_000)).toEqual(back(NOON + 6000));
  expect(clock.see(rows(NOON + 7000), NOON + 7000, NOON + 6900)).toBeUndefined();
  expect(lead.back?.isOver).toBe(true);
});

test("changes from long before a connection opened are wrong, but snapshots and rows of other tables are not", () => {
  const clock = createRowClock({ usualMs: 0 });
  expect(clock.see(rows(NOON - 3_600_000, "snapshot"), NOON)).toBeUndefined();
  expect(
    clock.see([{ table: bookEvents, rows: [{ ts: new Date(NOON - 3_600_000).toISOString() }] }], NOON),
  ).toBeUndefined();
  expect(clock.see(rows(NOON - 19_000), NOON + 1000)).toBeUndefined();
  const next = createRowClock({ usualMs: 0 });
  next.see(rows(NOON - 3_600_000, "snapshot"), NOON);
  expect(next.see(rows(NOON - 3_599_000), NOON + 1000)).toEqual(back(NOON - 3_599_000));
});

test("a clock that went back is right again once rows lag their arrival as on the previous connection", () => {
  const lead: VenueLead = { usualMs: 0 };
  createRowClock(lead).see(rows(NOON - 8000), NOON);
  const next = createRowClock(lead);
  expect(next.see(rows(NOON - 27_000), NOON + 1000)).toBeUndefined();
  const wrong = createRowClock(lead);
  lead.lagMs = -8000;
  expect(wrong.see(rows(NOON - 60_000), NOON + 2000)).toEqual(back(NOON - 60_000));
  expect(wrong.see(rows(NOON - 5500), NOON + 3000)).toBeUndefined();
  expect(lead.back?.isOver).toBe(true);
});

test("eventually accepts a venue's clock that stays behind", () => {
  const lead: VenueLead = { usualMs: 0 };
  const clock = createRowClock(lead);
  const minute = 60_000;
  clock.see(rows(NOON), NOON);
  expect(clock.see(rows(NOON - 30_000 + 1000), NOON + 1000)).toEqual(back(NOON - 29_000));
  expect(clock.see(rows(NOON + 9 * minute), NOON + 9.5 * minute)).toEqual(back(NOON + 9 * minute));
  expect(clock.see(rows(NOON + 11 * minute), NOON + 11.5 * minute)).toBeUndefined();
  expect(lead.back?.isOver).toBe(true);
  lead.back = undefined;
  expect(clock.see(rows(NOON + 12 * minute), NOON + 12.5 * minute)).toBeUndefined();
  const hour = 60 * minute;
  const [wrong, next] = [createRowClock(lead), createRowClock(lead)];
  expect(wrong.see(rows(NOON - hour), NOON + 13 * minute)).toEqual(back(NOON - hour));
  expect(wrong.see(rows(NOON - 0.7 * hour), NOON + 0.5 * hour)).toBeUndefined();
  lead.back = undefined;
  expect(next.see(rows(NOON), NOON + 1.2 * hour)).toBeUndefined();
});

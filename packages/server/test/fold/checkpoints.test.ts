import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openingPacker, unpackOpening } from "../../src/derivations/wallet/wallet-checkpoint.ts";
import type { Opening } from "../../src/derivations/wallet/wallet-state.ts";
import { openCheckpoints } from "../../src/ingest/fold/checkpoints.ts";

const folder = mkdtempSync(join(tmpdir(), "almanac-checkpoints-"));
afterAll(() => rmSync(folder, { recursive: true }));

const FORM = { form: 3 };
const [ANN, BOB] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`];
const state = (text: string): Buffer => Buffer.from(text);
/** A day of April 2026, or after it. */
const april = (number: number): string => new Date(Date.UTC(2026, 3, number)).toISOString().slice(0, 10);
const at = (of: string) => ({ day: of, state: state(of) });
const startOf = (checkpoints: ReturnType<typeof openCheckpoints>, key: string, day: string) =>
  checkpoints.startOf(new Map([[key, day]])).get(key);

test("recomputes a key from the touched day if nothing moved it in between, else from after its last checkpoint", () => {
  const kept = openCheckpoints(FORM);
  kept.beginWhole();
  expect(startOf(kept, ANN, "2026-05-10")).toBe("2026-05-10");
  kept.save("2026-05-01", [{ key: ANN, lastDay: "2026-05-03", eventsSince: 0, checkpoints: [at("2026-05-05")] }]);
  expect(startOf(kept, ANN, "2026-05-20")).toBe("2026-05-20");
  expect(kept.before(ANN, "2026-05-20")).toEqual(state("2026-05-05"));
  expect(startOf(kept, ANN, "2026-05-04")).toBe("2026-05-01");
  expect(kept.before(ANN, "2026-05-05")).toBeUndefined();
  // The current day, which has no checkpoint yet.
  kept.save("2026-05-06", [{ key: ANN, lastDay: "2026-05-06", eventsSince: 7, checkpoints: [] }]);
  expect(kept.eventsFrom(ANN, "2026-05-06")).toBe(7);
  expect(kept.eventsFrom(ANN, "2026-05-05")).toBeUndefined();
  expect(kept.eventsFrom(BOB, "2026-05-06")).toBeUndefined();
  expect(startOf(kept, ANN, "2026-05-07")).toBe("2026-05-06");
  expect(startOf(kept, BOB, "2026-05-07")).toBe("2026-05-07");
  kept.close();
});

test("drops checkpoints of recomputed days, and keeps one per power of four of days of the others", () => {
  const kept = openCheckpoints(FORM);
  kept.beginWhole();
  for (let number = 1; number <= 40; number += 1)
    kept.save(april(number), [{ key: ANN, lastDay: april(number), eventsSince: 0, checkpoints: [at(april(number))] }]);
  const ages: number[] = [];
  for (let number = 41; ;) {
    const found = kept.before(ANN, april(number))?.toString();
    if (found === undefined) break;
    number = (Date.parse(found) - Date.UTC(2026, 3, 0)) / 86_400_000;
    ages.push(40 - number);
  }
  expect(ages.slice(0, 2)).toEqual([0, 1]);
  expect(ages.length).toBeLessThanOrEqual(5);
  // Whatever the age of a late row, at most four times its days and a few more are recomputed.
  for (let age = 2; age < (ages.at(-1) ?? 0); age += 1)
    expect(ages.find((one) => one >= age) ?? Infinity).toBeLessThanOrEqual(4 * age + 4);
  kept.save(april(39), [{ key: ANN, lastDay: april(39), eventsSince: 0, checkpoints: [] }]);
  const left = kept.before(ANN, april(60))?.toString() as string;
  expect(left < april(39)).toBe(true);
  expect(startOf(kept, ANN, april(60))).toBe(new Date(Date.parse(left) + 86_400_000).toISOString().slice(0, 10));
  kept.close();
});

test("restores a file after a restart, unless the records continued without it or its form is another", () => {
  const file = join(folder, "deep", "shares.sqlite");
  const [left, later] = [new Date("2026-05-01T10:00:00Z"), new Date("2026-05-01T11:00:00Z")];
  const first = openCheckpoints(FORM, file);
  first.beginWhole();
  first.save("2026-05-01", [{ key: ANN, lastDay: "2026-05-01", eventsSince: 0, checkpoints: [at("2026-05-01")] }]);
  const number = first.numberOf("77");
  first.save("2026-05-01", [{ key: BOB, lastDay: "2026-05-01", eventsSince: 0, checkpoints: [at("2026-05-01")] }]);
  first.leaveAt(left);
  first.close();
  const again = openCheckpoints(FORM, file);
  again.keepIfLeftAt(left);
  expect(again.before(ANN, "2026-05-02")).toEqual(state("2026-05-01"));
  expect(again.idOf(number)).toBe("77");
  again.keepIfLeftAt(later);
  expect(again.before(ANN, "2026-05-02")).toBeUndefined();
  // Its earlier state is unknown, so it is computed from scratch.
  expect(startOf(again, ANN, "2026-05-02")).toBe("1970-01-01");
  again.save("2026-05-01", [{ key: ANN, lastDay: "2026-05-01", eventsSince: 0, checkpoints: [at("2026-05-01")] }]);
  again.leaveAt(left);
  again.close();
  const other = openCheckpoints({ form: 4 }, file);
  other.keepIfLeftAt(left);
  expect(other.before(ANN, "2026-05-02")).toBeUndefined();
  other.close();
});

test("recreates a file that is not a database", () => {
  const file = join(folder, "damaged.sqlite");
  writeFileSync(file, "no database at all, and long enough to be looked at ".repeat(100));
  const kept = openCheckpoints(FORM, file);
  expect(startOf(kept, ANN, "2026-05-02")).toBe("1970-01-01");
  kept.save("2026-05-01", [{ key: ANN, lastDay: "2026-05-01", eventsSince: 0, checkpoints: [at("2026-05-01")] }]);
  expect(kept.before(ANN, "2026-05-02")).toEqual(state("2026-05-01"));
  kept.close();
});

test("fails reads of a damaged file, and recreates it for the next keys", () => {
  const file = join(folder, "torn.sqlite");
  const before = openCheckpoints(FORM, file);
  before.save("2026-05-01", [{ key: ANN, lastDay: "2026-05-01", eventsSince: 0, checkpoints: [at("2026-05-01")] }]);
  before.close();
  const bytes = readFileSync(file);
  const place = bytes.indexOf(state("2026-05-01"));
  expect(place).toBeGreaterThan(0);
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  const kept = openCheckpoints(FORM, file);
  expect(() => kept.before(ANN, "2026-05-02")).toThrow("does not match its checksum");
  expect(startOf(kept, ANN, "2026-05-02")).toBe("1970-01-01");
  expect(kept.before(ANN, "2026-05-02")).toBeUndefined();
  kept.close();
});

const condition = (digit: string): string => `0x${digit.repeat(64)}`;
const opening: Opening = {
  tokens: [
    {
      token: "5",
      condition: condition("0"),
      shares: 1_500_000,
      cost: -7,
      lots: [{ shares: 1_500_000, cost: -9 }],
      payout: undefined,
    },
    {
      token: `1${"0".repeat(76)}`,
      condition: condition("f"),
      shares: 2,
      cost: 0,
      lots: [{ shares: 2, cost: 0 }],
      payout: 0,
    },
    {
      token: "6",
      condition: "",
      shares: 9,
      cost: 4,
      lots: [
        { shares: 4, cost: 1 },
        { shares: 5, cost: 3 },
      ],
      payout: 1_000_000,
    },
  ],
  positions: new Map([
    [condition("0"), { pnl: -3 }],
    ["token 6", { pnl: 0 }],
  ]),
  cashTotal: -(2 ** 53) + 1,
  realizedTotal: 12,
  feeTotal: 0,
  isEstimated: true,
};

test("unpacks a wallet's state as it was packed, also with amounts beyond the precision of a number", () => {
  const kept = openCheckpoints(FORM);
  for (const one of [opening, { ...opening, cashTotal: 2n ** 60n + 1n, isEstimated: false }])
    expect(unpackOpening(openingPacker(kept)(one), kept)).toEqual(one);
  expect(openingPacker(kept)(opening).length).toBeLessThan(100);
  kept.close();
});

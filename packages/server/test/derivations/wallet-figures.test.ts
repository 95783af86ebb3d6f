import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { wallet360 } from "../../src/datasets/wallet-360/wallet-360.ts";
import { bind, sql } from "../../src/definition/sql.ts";
import { num } from "../../src/definition/column.ts";
import { figure } from "../../src/derivations/wallet-figures/amounts.ts";
import { walletProfile } from "../../src/derivations/wallet-figures/wallet-profile.ts";
import { printerOf } from "../../src/query/served/print-made.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { dayNumber, foldedOfRows } from "../fixtures/folded-of-rows.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { annaDays } from "../fixtures/wallet-day-rows.ts";
import { ANNA } from "../fixtures/wallet-names.ts";
import { annaTokens } from "../fixtures/wallet-token-day-rows.ts";
import { drawOf } from "../serving/random-fills.ts";

const draw = drawOf(seededRandom());
let store: OpenStore;
beforeAll(async () => void (store = await openTestStore()));
afterAll(() => store.close());

test("walletProfile returns a value for each field of wallet-360 and no other", () => {
  const asOf = dayNumber("2026-06-05");
  const rows = { walletDays: annaDays(), tokenDays: annaTokens(), conditionDays: [] };
  const values = walletProfile({
    wallet: ANNA,
    days: "all",
    asOf,
    folded: foldedOfRows(rows, asOf),
    entries: [],
    patterns: [],
    score: null,
    income: undefined,
    categoryOf: () => "",
    markOf: () => undefined,
  });
  expect(Object.keys(values ?? {}).sort()).toEqual(Object.keys(wallet360.row).sort());
});

test("figure() rounds floats to six places and prints them as the engine does", async () => {
  const edges = [0, 0.000_000_5, 0.000_001_5, -0.000_000_4, 2.500_000_5, 0.000_001, 1e15, 2 ** 53, 1e20, 1e21];
  const some = Array.from({ length: 2000 }, () => {
    const size = 10 ** (draw.below(24) - 8);
    const value = draw.below(2) === 0 ? draw.below(1e9) / 2e9 : draw.below(1e6);
    return (draw.below(2) === 0 ? -1 : 1) * value * size;
  });
  const values = [...edges, ...edges.slice(1).map((one) => -one), ...some];
  const body = await store.read(sql`SELECT round(arrayJoin(${bind("Array(Float64)", values)}), 6) AS value`);
  const print = printerOf({ value: num() }, "typed");
  expect(body.toString().trim().split("\n")).toEqual(values.map((value) => print({ value: figure(value) })));
});

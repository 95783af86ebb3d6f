import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom, testSeed } from "../../../../scripts/vitest/seed.ts";
import { wallet360 } from "../../src/datasets/wallet-360/wallet-360.ts";
import { bind, sql } from "../../src/definition/sql.ts";
import { num } from "../../src/definition/column.ts";
import { figure } from "../../src/derivations/wallet-figures/amounts.ts";
import { walletProfile } from "../../src/derivations/wallet-figures/wallet-profile.ts";
import { WINDOW_LENGTHS } from "../../src/derivations/wallet-window/wallet-window.ts";
import { printerOf } from "../../src/query/served/print-made.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { dayNumber } from "../fixtures/folded-of-rows.ts";
import { openSqlQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { dayText } from "../fixtures/random-beside.ts";
import { randomWalletWorld, type RandomHabit } from "../fixtures/random-wallet-world.ts";
import { table } from "../fixtures/sample-rows.ts";
import { drawOf } from "../serving/random-fills.ts";

const [FIRST, LAST] = [dayNumber("2026-01-01"), dayNumber("2026-05-10")];
const FORMATS = ["raw", "typed", "ndjson"] as const;
type Asked = { readonly window: string; readonly asOf: number; readonly format: (typeof FORMATS)[number] };

const FILLS = ["buy", "buy", "sell"] as const;
const HABITS: readonly RandomHabit[] = [
  { operations: 300, kinds: [...FILLS, "transfer_in", "transfer_out", "redemption"], sizes: "any" },
  { operations: 120, kinds: FILLS, sizes: "any" },
  { operations: 60, kinds: FILLS, sizes: "even" },
  { operations: 600, kinds: ["buy", "sell"], sizes: "even", isWinner: true },
  { operations: 50, kinds: FILLS, sizes: "even", isWrong: true },
  { operations: 40, kinds: FILLS, sizes: "huge" },
  { operations: 25, kinds: ["buy"], sizes: "huge" },
  { operations: 30, kinds: ["buy"], sizes: "any", markets: 4 },
  { operations: 12, kinds: FILLS, sizes: "any", first: LAST - 20, markets: 2 },
  { operations: 6, kinds: FILLS, sizes: "any", first: LAST - 2, markets: 3 },
  // One day, one fill, and no fill at all.
  { operations: 8, kinds: FILLS, sizes: "any", first: LAST, markets: 1 },
  { operations: 1, kinds: ["buy"], sizes: "any" },
  { operations: 5, kinds: ["transfer_in", "transfer_out"], sizes: "any", markets: 2 },
  { operations: 3, kinds: ["sell"], sizes: "any", markets: 2 },
  // A few days long ago, and weeks of which nothing is left.
  { operations: 2, kinds: ["buy"], sizes: "even", last: FIRST + 3, markets: 1 },
  { operations: 80, kinds: FILLS, sizes: "any", first: LAST - 90, last: LAST - 60 },
];

/**
 * Floats that the engine adds up in another order: of markets in that of a hash table, of squared notionals in lanes. Of
 * deviations of billions of dollars the sixth place is a float's last one, so there the order tells.
 */
const ORDERLESS = new Set(["stddev_position_size", "trade_size_stdev"]);

const draw = drawOf(seededRandom());
const world = randomWalletWorld(draw, { first: FIRST, last: LAST }, HABITS);
const addresses = world.wallets.map(({ wallet }) => wallet);
const DAYS = [LAST, LAST - 1 - draw.below(5), LAST - 30 - draw.below(30), FIRST + 2, FIRST - 5];

let store: OpenStore;
let query: ReturnType<typeof openSqlQuery>;
beforeAll(async () => {
  store = await openTestStore();
  query = openSqlQuery(store, () => (LAST + 1) * 86_400_000 - 1000);
  for (const [name, rows] of Object.entries(world.rows)) await store.insert(table(name), rows);
});
afterAll(() => store.close());

async function byEngine({ window, asOf, format }: Asked, wallets: readonly string[]): Promise<string[]> {
  const params = { proxy_wallet: wallets.join(","), window_days: window, as_of: dayText(asOf) };
  const { body } = await query.answer(581, { params, pagination: { limit: 200 }, format });
  const rows = body.toString().replace(/^\[|\]?\n?$/g, "");
  return rows === "" ? [] : rows.split(/[,\n](?=\{"proxy_wallet")/);
}

function made({ window, asOf, format }: Asked, wallets: readonly string[]): string[] {
  const print = printerOf(wallet360.row, format === "typed" ? "typed" : "raw");
  return world.wallets
    .filter(({ wallet }) => wallets.includes(wallet))
    .map((one) => walletProfile(world.inputOf(one, window === "all" ? "all" : Number(window), asOf)))
    .filter((values) => values !== undefined)
    .map(print);
}

const FLOAT = /"(\w+)":(-?[\d.]+(?:e-?\d+)?)(?=[,}])/g;

/** The row with the engine's digits where only these differ, by no more than its order of adding up explains. */
function withItsDigits(row: string, found: string): string {
  const digits = new Map([...found.matchAll(FLOAT)].map(([, name, value]) => [name, value]));
  return row.replace(FLOAT, (all, name: string, value: string) => {
    const other = digits.get(name) ?? value;
    if (!ORDERLESS.has(name) || other === value) return all;
    const most = 1.000_001e-6 + 1e-15 * Math.abs(Number(value));
    return Math.abs(Number(value) - Number(other)) <= most ? `"${name}":${other}` : all;
  });
}

async function compare(asked: Asked, wallets: readonly string[]): Promise<number> {
  const found = await byEngine(asked, wallets);
  const rows = made(asked, wallets).map((row, place) => withItsDigits(row, found[place] ?? ""));
  for (const [place, row] of rows.entries())
    expect(row, `seed ${testSeed()}: ${JSON.stringify(asked)}`).toBe(found[place]);
  expect(rows).toHaveLength(found.length);
  return rows.length;
}

describe("figures of a wallet worked out here", () => {
  let asks = draw.below(FORMATS.length);
  it.each(WINDOW_LENGTHS)("are in every byte those of the statement: a window of %s", async (window) => {
    let rows = 0;
    for (const asOf of DAYS) {
      const format = FORMATS[(asks += 1) % FORMATS.length] ?? "raw";
      rows += await compare({ window, asOf, format }, addresses);
    }
    expect(rows).toBeGreaterThan(2 * addresses.length);
  });

  it("are the same where a wallet is asked about alone", async () => {
    for (const wallet of addresses) await compare({ window: "all", asOf: LAST, format: "typed" }, [wallet]);
  });

  it("make a value for each field and no other", () => {
    const [one] = world.wallets;
    const values = walletProfile(world.inputOf(one as NonNullable<typeof one>, "all", LAST)) ?? {};
    expect(Object.keys(values).sort()).toEqual(Object.keys(wallet360.row).sort());
  });
});

describe("floats as figures of six places", () => {
  it("are rounded and printed as by the engine", async () => {
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
});

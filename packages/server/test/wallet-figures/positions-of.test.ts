import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { thoroughly } from "../../../../scripts/vitest/thoroughly.ts";
import { walletPositions } from "../../src/datasets/wallet-positions.ts";
import {
  comparePositions,
  positionPlaceOf,
  positionsOf,
  type PositionsAsked,
} from "../../src/derivations/wallet-figures/positions-of.ts";
import { newestMark } from "../../src/derivations/wallet/newest-mark.ts";
import { walletTokenDays } from "../../src/tables/wallet-token-days.ts";
import { expectPages } from "../fixtures/expect-pages.ts";
import { foldedPositions } from "../fixtures/folded-positions.ts";
import { openRandomWallets } from "../fixtures/open-random-wallets.ts";
import { dateOf, RANDOM_DAYS, RANDOM_MARKETS, RANDOM_START } from "../fixtures/random-wallet.ts";
import { tokenDay } from "../fixtures/wallet-token-day-rows.ts";
import { drawOf } from "../serving/random-fills.ts";

const WORLDS = thoroughly(8, 2);
const QUESTIONS = thoroughly(40, 12);
const NO_CONDITION = `0x${"0".repeat(64)}`;
/** In typed a cursor has the value as a number: of more USD it loses the last digits, and a walk stays where it is. */
const EXACT_IN_TYPED = 2n ** 33n * 1_000_000n;
const draw = drawOf(seededRandom());
const { below } = draw;
const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
const some = (values: readonly string[]): string[] => [...new Set([pick(values), pick(values), pick(values)])];

let world: Awaited<ReturnType<typeof openRandomWallets>>;
beforeAll(async () => void (world = await openRandomWallets()));
afterAll(() => world.close());

test("positions made of a folded wallet are in every byte what the engine answers", { timeout: 240_000 }, async () => {
  const seen = new Set<string>();
  let rows = 0;
  for (let round = 0; round < WORLDS; round += 1) {
    const { wallets, marks } = await world.next(draw);
    const { ofToken } = world;
    for (const [wallet, days] of wallets) {
      const folded = foldedPositions(days, dateOf(RANDOM_DAYS - 1));
      const all = positionsOf(wallet, folded, { markOf: (token) => marks.get(token)?.marks.at(-1), ofToken }, {});
      for (const { values } of all) seen.add(String(values()["status"])).add(`marked ${values()["mark"] !== null}`);
    }
    for (let question = 0; question < QUESTIONS; question += 1) {
      const names = some([...wallets.keys()]);
      const day = below(3) === 0 ? RANDOM_DAYS - 1 : below(RANDOM_DAYS);
      const status = pick([undefined, "open", "redeemable", "closed", "ALL"]);
      const conditions = RANDOM_MARKETS.map(({ condition }) => condition || NO_CONDITION);
      const asked: PositionsAsked = {
        status: status === "ALL" ? undefined : (status ?? "open"),
        conditions: below(3) === 0 ? new Set(some(conditions)) : undefined,
        tokens: below(3) === 0 ? new Set(some(RANDOM_MARKETS.flatMap(({ tokens }) => tokens))) : undefined,
      };
      const params = {
        proxy_wallet: names.join(","),
        ...(status === undefined ? {} : { status }),
        ...(asked.conditions === undefined ? {} : { condition_id: [...asked.conditions].join(",") }),
        ...(asked.tokens === undefined ? {} : { token_id: [...asked.tokens].join(",") }),
        ...(day === RANDOM_DAYS - 1 && below(2) === 0 ? {} : { as_of: dateOf(day) }),
      };
      const markOf = (token: string): number | undefined => {
        const known = marks.get(token);
        return known && newestMark(known, Date.parse(dateOf(day)) / 86_400_000);
      };
      const made = names.flatMap((wallet) => {
        const days = wallets.get(wallet);
        return days ? positionsOf(wallet, foldedPositions(days, dateOf(day)), { markOf, ofToken }, asked) : [];
      });
      const format = pick(["raw", "typed", "ndjson"] as const);
      const isOnePage = format === "typed" && made.some(({ value }) => value > EXACT_IN_TYPED);
      const walk = { params, limit: isOnePage ? 100 : pick([1, 3, 100]), format };
      const order = { compare: comparePositions, placeOf: positionPlaceOf };
      rows += await expectPages(world.query, walletPositions, walk, { rows: made, ...order });
    }
  }
  expect(seen).toEqual(new Set(["open", "redeemable", "closed", "marked true", "marked false"]));
  expect(rows).toBeGreaterThan(0);
});

test("half of a ten thousandth of a percent goes to the even side", async () => {
  const wallet = draw.hex(20);
  const moments = { first_at: RANDOM_START, last_at: RANDOM_START + 1 };
  const rows = ["1", "3", "5", "3191"].map((shares, index) =>
    tokenDay(wallet, dateOf(0), String(100 + index), { shares, payout: "1", ...moments }),
  );
  await world.store.insert(walletTokenDays, rows);
  const folded = foldedPositions({ tokenDays: rows, conditionDays: [] }, dateOf(0));
  const sources = { markOf: () => undefined, ofToken: () => null };
  const made = positionsOf(wallet, folded, sources, { status: "redeemable" });
  const walk = { params: { proxy_wallet: wallet, status: "redeemable" }, limit: 10, format: "raw" } as const;
  const order = { compare: comparePositions, placeOf: positionPlaceOf };
  expect(await expectPages(world.query, walletPositions, walk, { rows: made, ...order })).toBe(rows.length);
  expect(made.map(({ values }) => values()["pct_of_value"])).toContainEqual({ parts: 312n, places: 4 });
});

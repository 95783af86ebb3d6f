import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReadRows } from "../../src/definition/day-derivation.ts";
import { scoredDays, skillReport, skillText } from "../../src/main/report/skill-report.ts";
import { walletDays } from "../../src/tables/wallet-days.ts";
import { walletScores } from "../../src/tables/wallet-scores.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { hex } from "../fixtures/sample-rows.ts";
import { scoreRow } from "../fixtures/score-rows.ts";
import { walletDay } from "../fixtures/wallet-day-rows.ts";

/** Ordered from the best score to the worst; the last but one trades four times afterwards, the last not at all. */
const WALLETS = [1, 2, 3, 4, 5, 6].map((one) => hex(one, 40));
const JUDGED = "2026-05-15";

let store: Awaited<ReturnType<typeof openTestStore>>;
const read: ReadRows = (statement) => store.rows(statement);
beforeAll(async () => {
  store = await openTestStore();
  await store.insert(walletScores, [
    scoreRow(WALLETS[0] ?? "", "2026-05-01"),
    scoreRow(WALLETS[0] ?? "", "2026-05-29"),
    ...WALLETS.map((wallet, place) =>
      scoreRow(wallet, JUDGED, { score: 90 - 10 * place, skill_pct: 0.9 - 0.1 * place }),
    ),
    // Neither is in the pool.
    scoreRow(hex(7, 40), JUDGED, { category: "Sports", score: 99 }),
    scoreRow(hex(8, 40), JUDGED, { score: 99, is_gone: true }),
  ]);
  await store.insert(walletDays, [
    // Their earlier profit is in the opposite order.
    ...WALLETS.map((wallet, place) =>
      walletDay(wallet, "2026-05-10", { buys: 1, bought_usd: "100", realized_usd: String(1 + place) }),
    ),
    ...[30, 20, 10, -10, -99].map((profit, place) =>
      walletDay(WALLETS[place] ?? "", "2026-05-20", {
        buys: place === 4 ? 4 : 5,
        bought_usd: "100",
        realized_usd: String(place === 0 ? profit - 5 : profit),
      }),
    ),
    // The last of the fourteen days, and the day after them.
    walletDay(WALLETS[0] ?? "", "2026-05-29", { sells: 1, realized_usd: "5" }),
    walletDay(WALLETS[3] ?? "", "2026-05-30", { other_events: 1, realized_usd: "500" }),
  ]);
});
afterAll(() => store.close());

test("compares a day's scores and plain figures with the wallets' profit afterwards", async () => {
  const scored = await scoredDays(read);
  expect(scored).toEqual({ first: "2026-05-01", last: "2026-05-29", traded: "2026-05-29" });
  const days = await skillReport(read, scored, "2026-05-30");
  expect(days).toMatchObject([
    {
      day: JUDGED,
      pool: 6,
      judged: 4,
      base_rate: 0.75,
      failures: [{ wallet: WALLETS[3], score: 60, pnl_usd: -10 }],
    },
  ]);
  const results = days[0]?.results ?? [];
  const found = Object.fromEntries(results.map((one) => [one.ranking, [one.spearman_roi, one.spearman_pnl]]));
  expect(found).toMatchObject({ score: [1, 1], skill: [1, 1], pnl: [-1, -1], roi: [-1, -1] });
  // No position ended before that day, and all wallets have the same timing.
  expect(found).toMatchObject({ win_rate: [null, null], timing: [null, null] });
  expect(new Set(results.map((one) => one.precision_25))).toEqual(new Set([0.75]));
  expect(skillText(days, scored)).toContain(JUDGED);
});

test("judges a day only once all of the fourteen days after it are over", async () => {
  expect(await skillReport(read, await scoredDays(read), "2026-05-29")).toEqual([]);
});

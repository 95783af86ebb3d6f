import { afterAll, beforeAll, expect, test } from "vitest";
import type { InsertRow } from "../../src/definition/table.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { walletDays } from "../../src/tables/wallet-days.ts";
import { walletScores } from "../../src/tables/wallet-scores.ts";
import { openServedQuery } from "../fixtures/open-served-query.ts";
import { openTestQuery, type Question } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { scoreRow } from "../fixtures/score-rows.ts";
import { annaDays, walletDay } from "../fixtures/wallet-day-rows.ts";
import { ANNA, BEN, CORA, NOBODY } from "../fixtures/wallet-names.ts";

const [FOURTH, FIFTH, SIXTH] = ["2026-06-04", "2026-06-05", "2026-06-06"];
const now = (): number => Date.parse("2026-06-20T12:00:00Z");
const OFF = Object.fromEntries(
  ["min_win_rate", "max_win_rate", "min_roi", "min_total_trades", "max_total_trades", "min_pnl"].map((one) => [
    `${one}_15d`,
    "ALL",
  ]),
);
const EVERYBODY = [ANNA, BEN, CORA, NOBODY].join(",");
const QUESTIONS: readonly Question[] = [
  ...[FOURTH, FIFTH, SIXTH].map((as_of) => Object.assign({ as_of }, OFF)),
  { as_of: FIFTH, ...OFF, sort_by: "pnl", weights: "risk:1" },
  { as_of: FIFTH, ...OFF, category: "sports" },
  { as_of: FIFTH, wallet: EVERYBODY, category: "Sports", sort_by: "roi" },
  { as_of: SIXTH, wallet: EVERYBODY },
].map((params) => ({ params }));

let store: OpenStore;
beforeAll(async () => {
  store = await openTestStore();
  await store.insert(walletDays, annaDays());
});
afterAll(() => store.close());

const ben = (score: number, change: InsertRow = {}): InsertRow => scoreRow(BEN, FIFTH, { score, ...change });
const sports = (category: string): InsertRow => scoreRow(CORA, FIFTH, { category, score: 33, pool: 1 });

/** Rows stored by each step, and the wallets ranked afterwards as of each of the days. */
const STEPS: readonly (readonly [what: string, rows: readonly InsertRow[], ranked: readonly string[]])[] = [
  ["nothing", [], ["", "", ""]],
  ["a day", [scoreRow(ANNA, FOURTH, { pool: 2 }), scoreRow(CORA, FOURTH, { score: 60 })], ["CA", "CA", ""]],
  ["a part of the next", [ben(48)], ["CA", "CA", ""]],
  ["the rest of it", [scoreRow(ANNA, FIFTH, { score: 61.5, risk_pct: 0.2 })], ["CA", "AB", "AB"]],
  ["another score", [ben(70, { risk_pct: 0.1 })], ["CA", "BA", "BA"]],
  ["one less", [ben(70, { is_gone: true }), scoreRow(ANNA, FIFTH, { score: 62, pool: 1 })], ["CA", "A", "A"]],
  ["a category", [sports("SPORTS")], ["CA", "A", "A"]],
  ["the same as it is asked for", [{ ...sports("sports"), score: 34 }], ["CA", "A", "A"]],
  ["the day taken back", [scoreRow(ANNA, FIFTH, { is_gone: true })], ["CA", "CA", ""]],
];
const LETTERS: Readonly<Record<string, string>> = { [ANNA]: "A", [BEN]: "B", [CORA]: "C" };

test("a score board in memory follows stored rows: pools that become complete, change and disappear", async () => {
  const served = await openServedQuery(store, now);
  const query = openTestQuery(store, now);
  const areSame = async (what: string): Promise<void> => {
    await served.caughtUp();
    for (const question of QUESTIONS) {
      const [wanted, found] = [await query.answer(584, question), await served.answer(584, question)];
      expect(found.body.toString(), `${what} ${JSON.stringify(question)}`).toBe(wanted.body.toString());
    }
  };
  for (const [what, rows, ranked] of STEPS) {
    if (rows.length > 0) await store.insert(walletScores, rows);
    await areSame(what);
    for (const [at, as_of] of [FOURTH, FIFTH, SIXTH].entries()) {
      const found = await served.rows(584, { params: { ...OFF, as_of } });
      expect([what, found.map((row) => LETTERS[String(row["wallet"])]).join("")]).toEqual([what, ranked[at]]);
    }
  }
  await store.insert(walletDays, [
    walletDay(CORA, FOURTH, { sells: 1, wins: 1, sold_usd: "9", realized_usd: "9", open_value_usd: "2" }),
  ]);
  await areSame("a day with a profit");
  await store.insert(walletDays, [walletDay(CORA, FOURTH, { is_gone: true })]);
  await areSame("none");
  expect(served.failures).toEqual([]);
  expect(served.counts.engine).toBe(0);
  await served.close();
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { defineDayDerivation } from "../../../src/definition/day-derivation.ts";
import { sql } from "../../../src/definition/sql.ts";
import { deriveDays } from "../../../src/ingest/day/derive-days.ts";
import type { DayRun } from "../../../src/ingest/day/run-day.ts";
import { walletScores } from "../../../src/tables/wallet-scores.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { scoreRow } from "../../fixtures/score-rows.ts";
import { ANNA, BEN } from "../../fixtures/wallet-names.ts";
import { manualClock } from "../manual-clock.ts";

const DAY = "2026-05-20";

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const scoresOf = (wallets: readonly string[]) =>
  defineDayDerivation({
    name: "scores",
    title: "Scores",
    from: [],
    into: walletScores,
    after: [],
    touched: ({ today }) => sql`SELECT toString(toDate(${today})) AS day`,
    rows: async function* () {
      yield wallets.map((wallet) => scoreRow(wallet, DAY));
    },
  });

/** Makes the day of these wallets, ended before the first statement that says so. */
const make = (wallets: readonly string[], endsAt?: string): Promise<number> => {
  const run: DayRun["store"]["run"] = async (statement, settings) => {
    if (endsAt !== undefined && statement.text.includes(endsAt)) throw new Error("ended");
    await store.run(statement, settings);
  };
  return deriveDays(scoresOf(wallets), undefined, {
    signal: new AbortController().signal,
    store: { ...store, run },
    clock: manualClock(Date.parse("2026-05-20T10:00:00Z")),
  });
};

const walletsOf = async (table: "wallet_scores" | "wallet_scores_by_wallet"): Promise<string[]> => {
  const found = await store.rows<{ wallet: string }>(
    sql`SELECT concat('0x', lower(hex(wallet))) AS wallet FROM ${{ kind: "table", name: table }} FINAL WHERE NOT is_gone ORDER BY wallet`,
  );
  return found.map(({ wallet }) => wallet);
};

test.each(["INSERT INTO wallet_scores_by_wallet", "SELECT"])(
  "rows that a run took back leave the copy with the next run, where it was ended at %s",
  async (endsAt) => {
    await make([ANNA, BEN]);
    expect(await walletsOf("wallet_scores_by_wallet")).toEqual([ANNA, BEN].toSorted());
    await expect(make([ANNA], endsAt)).rejects.toThrow("ended");
    await make([ANNA]);
    expect(await walletsOf("wallet_scores")).toEqual([ANNA]);
    expect(await walletsOf("wallet_scores_by_wallet")).toEqual([ANNA]);
  },
);

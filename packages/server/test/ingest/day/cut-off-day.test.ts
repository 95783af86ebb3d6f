import { afterAll, beforeAll, expect, test } from "vitest";
import { defineDaysDerivation } from "../../../src/definition/day-derivation.ts";
import { numberOfDay } from "../../../src/definition/day-of.ts";
import type { PackedRows } from "../../../src/definition/packed-rows.ts";
import { RowWriter } from "../../../src/definition/row-writer.ts";
import { sql } from "../../../src/definition/sql.ts";
import { deriveDays } from "../../../src/ingest/day/derive-days.ts";
import type { RunOfDays } from "../../../src/ingest/day/run-days.ts";
import { walletPatterns } from "../../../src/tables/wallet-patterns.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { ANNA, BEN } from "../../fixtures/wallet-names.ts";
import { manualClock } from "../manual-clock.ts";

const DAY = "2026-05-20";

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const NOBODY = `0x${"0".repeat(40)}`;

function packed(wallets: readonly string[]): PackedRows {
  const row = new RowWriter();
  for (const wallet of wallets) {
    row.begin();
    row.day(numberOfDay(DAY));
    row.hex(wallet);
    row.small(1);
    row.real(50);
    row.hex(NOBODY);
    row.count(0);
    row.count(1);
    row.real(0.5);
    row.real(0.1);
    row.text("{}");
    row.flag(false);
  }
  return row.packed();
}

const patternsOf = (wallets: readonly string[]) =>
  defineDaysDerivation({
    name: "patterns",
    title: "Patterns",
    from: [],
    into: walletPatterns,
    after: [],
    touched: ({ today }) => sql`SELECT toString(toDate(${today})) AS day`,
    sizes: (days) => sql`SELECT toString(arrayJoin(${days})) AS day, '1' AS size`,
    rowsOfSlice: async function* () {
      yield packed(wallets);
    },
  });

/** Derives the day of these wallets, failing before the first statement that contains `endsAt`. */
const make = (wallets: readonly string[], endsAt?: string): Promise<number> => {
  const run: RunOfDays["store"]["run"] = async (statement, settings) => {
    if (endsAt !== undefined && statement.text.includes(endsAt)) throw new Error("ended");
    await store.run(statement, settings);
  };
  return deriveDays(patternsOf(wallets), undefined, {
    signal: new AbortController().signal,
    store: { ...store, run },
    clock: manualClock(Date.parse("2026-05-20T10:00:00Z")),
  });
};

const walletsOf = async (table: "wallet_patterns" | "wallet_patterns_by_wallet"): Promise<string[]> => {
  const found = await store.rows<{ wallet: string }>(
    sql`SELECT concat('0x', lower(hex(wallet))) AS wallet FROM ${{ kind: "table", name: table }} FINAL WHERE NOT is_gone ORDER BY wallet`,
  );
  return found.map(({ wallet }) => wallet);
};

test.each(["INSERT INTO wallet_patterns_by_wallet", "SELECT"])(
  "rows retracted by a run interrupted at %s leave the copy with the next run",
  async (endsAt) => {
    await make([ANNA, BEN]);
    expect(await walletsOf("wallet_patterns_by_wallet")).toEqual([ANNA, BEN].toSorted());
    await expect(make([ANNA], endsAt)).rejects.toThrow("ended");
    await make([ANNA]);
    expect(await walletsOf("wallet_patterns")).toEqual([ANNA]);
    expect(await walletsOf("wallet_patterns_by_wallet")).toEqual([ANNA]);
  },
);

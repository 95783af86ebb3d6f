import { expect, test } from "vitest";
import type { InsertRow } from "../../src/definition/table.ts";
import { balanceOf } from "../../src/derivations/wallet-figures/window-sums.ts";
import { dayNumber, foldedOfRows } from "../fixtures/folded-of-rows.ts";
import { walletDay } from "../fixtures/wallet-day-rows.ts";
import { BEN } from "../fixtures/wallet-names.ts";

const DAY = "2026-06-05";

/** The balance of a wallet with this one day. */
function balance(day: InsertRow) {
  const rows = { walletDays: [walletDay(BEN, DAY, day)], tokenDays: [], conditionDays: [] };
  const { days } = foldedOfRows(rows, dayNumber(DAY));
  const [latest] = days;
  if (latest === undefined) throw new Error("no day");
  return balanceOf(days, latest);
}

/** Sells of shares that were never held. */
const soldUnheld = (total: string): InsertRow => ({
  sells: 1,
  sold_usd: "12",
  cash_usd: "12",
  unmatched_usd: "12",
  cash_total_usd: total,
  is_estimated: true,
});

test("books whose cash differs from the realised profit are unreconciled", () => {
  const traded = { buys: 1, sells: 1, realized_usd: "100", realized_total_usd: "100", cash_usd: "100" };
  expect(balance({ ...traded, cash_total_usd: "100" })).toEqual({ status: "exact", residual: 0 });
  expect(balance({ ...traded, cash_total_usd: "100.02" })).toEqual({ status: "unreconciled", residual: 0.02 });
});

test("proceeds of shares never held leave the books estimated, and any other difference unreconciled", () => {
  expect(balance(soldUnheld("12"))).toEqual({ status: "estimated", residual: 12 });
  expect(balance(soldUnheld("12.02"))).toEqual({ status: "unreconciled", residual: 12.02 });
});

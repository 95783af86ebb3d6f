import fc from "fast-check";
import { expect, test } from "vitest";
import type { InsertRow } from "../../src/definition/table.ts";
import { atOnce } from "../../src/definition/pacing.ts";
import { microText } from "../../src/definition/value-text.ts";
import { boughtSquared } from "../../src/derivations/wallet/bought-spread.ts";
import { foldedWallet } from "../../src/derivations/wallet/collect-wallet.ts";
import type { Amount, FoldedPosition } from "../../src/derivations/wallet/folded-wallet.ts";
import { foldToRows, type WalletRows } from "../fixtures/fold-to-rows.ts";
import { randomFold } from "../fixtures/random-ledger.ts";

const usd = (amount: Amount): string => microText(BigInt(amount));
const date = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
const condition = (id: string): string => (id === "" ? `0x${"0".repeat(64)}` : id);
/** Only the fields that are compared. */
const only = (rows: readonly InsertRow[], fields: readonly object[]) =>
  rows.map((row) => Object.fromEntries(Object.keys(fields[0] ?? {}).map((name) => [name, row[name]])));

test("a folded wallet contains the same figures as its stored day rows", () => {
  fc.assert(
    fc.property(randomFold, (fold) => {
      const made = foldToRows(fold);
      const { days, tokenDays, ended, positions } = atOnce(foldedWallet(fold));
      const asDays = days.map((day) => ({
        day: date(day.day),
        first_at: day.firstAt ?? null,
        last_at: day.lastAt ?? null,
        buys: day.buys,
        sells: day.sells,
        maker_fills: day.makerFills,
        other_events: day.otherEvents,
        wins: day.wins,
        losses: day.losses,
        bought_usd: usd(day.bought),
        sold_usd: usd(day.sold),
        maker_usd: usd(day.makerUsd),
        bought_usd_squared: boughtSquared(day),
        fee_usd: usd(day.fee),
        realized_usd: usd(day.realized),
        realized_fifo_usd: usd(day.realizedFifo),
        cash_usd: usd(day.cash),
        unmatched_usd: usd(day.unmatchedUsd),
        cash_total_usd: usd(day.cashTotal),
        realized_total_usd: usd(day.realizedTotal),
        fee_total_usd: usd(day.feeTotal),
        open_cost_usd: usd(day.openCost),
        open_value_usd: usd(day.openValue),
        is_estimated: day.isEstimated,
      }));
      expect(asDays).toEqual(only(made.walletDays, asDays));
      const asTokenDays = tokenDays.map((day) => ({
        day: date(day.day),
        token_id: day.token,
        condition_id: condition(day.condition),
        payout: day.payout === undefined ? null : usd(day.payout),
        buys: day.buys,
        sells: day.sells,
        bought_usd: usd(day.bought),
        fee_usd: usd(day.fee),
        realized_usd: usd(day.realized),
        realized_fifo_usd: usd(day.realizedFifo),
      }));
      expect(asTokenDays).toEqual(only(made.tokenDays, asTokenDays));
      const asEnded = ended.map(({ day, condition: id, wins, losses, pnl, gained }) => ({
        day: date(day),
        condition_id: id,
        wins,
        losses,
        pnl_usd: usd(pnl),
        gained_usd: usd(gained),
      }));
      expect(asEnded).toEqual(only(made.conditionDays, asEnded));
      expect(positions.map(asPosition)).toEqual(positionsOf(made));
      // A wallet's figures are estimates if and only if one of its positions is estimated.
      expect(positions.some(({ isEstimated }) => isEstimated)).toBe(days.at(-1)?.isEstimated ?? false);
    }),
    { numRuns: 500 },
  );
});

test("bigint amounts of any size give the same rows as numbers", () => {
  fc.assert(
    fc.property(randomFold, (fold) => {
      const rows = [...fold.rows].map((row) =>
        Object.assign({}, row, { shares: BigInt(row.shares), usd: BigInt(row.usd), fee: BigInt(row.fee) }),
      );
      expect(foldToRows({ ...fold, rows })).toEqual(foldToRows(fold));
    }),
    { numRuns: 200 },
  );
});

const asPosition = (one: FoldedPosition) => ({
  token: one.token,
  condition: condition(one.condition),
  state: [usd(one.shares), usd(one.cost), usd(one.costFifo), one.payout === undefined ? null : usd(one.payout)],
  span: [one.openedAt, one.lastAt],
  fills: [one.buys, one.sells],
  sums: [one.sharesBought, one.bought, one.sharesSold, one.sold, one.fee, one.realized, one.realizedFifo].map(usd),
});

const SUMS = ["shares_bought", "bought_usd", "shares_sold", "sold_usd", "fee_usd", "realized_usd", "realized_fifo_usd"];
const micro = (text: unknown): bigint => {
  const [whole = "", part = ""] = String(text).replace("-", "").split(".");
  const size = BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, "0"));
  return String(text).startsWith("-") ? -size : size;
};

/** The same positions computed from the rows of wallet_token_days. */
function positionsOf({ tokenDays }: WalletRows) {
  const byToken = Map.groupBy(tokenDays, (row) => String(row["token_id"]));
  return [...byToken].map(([token, rows]) => {
    const [first, last] = [rows[0] ?? {}, rows.at(-1) ?? {}];
    const count = (name: string): number => rows.reduce((sum, row) => sum + Number(row[name]), 0);
    return {
      token,
      condition: last["condition_id"],
      state: [last["shares"], last["cost_usd"], last["cost_fifo_usd"], last["payout"]],
      span: [first["first_at"], last["last_at"]],
      fills: [count("buys"), count("sells")],
      sums: SUMS.map((name) => microText(rows.reduce((sum, row) => sum + micro(row[name]), 0n))),
    };
  });
}

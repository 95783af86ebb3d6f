import { afterAll, beforeAll, expect, test } from "vitest";
import { pnlReport, pnlText } from "../../src/main/report/pnl-report.ts";
import { walletDays } from "../../src/tables/wallet-days.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { annaDays, walletDay } from "../fixtures/wallet-day-rows.ts";
import { ANNA, BEN, CORA } from "../fixtures/wallet-names.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
  await store.insert(walletDays, [
    ...annaDays(),
    walletDay(BEN, "2026-06-01", { buys: 1, realized_total_usd: "3", cash_total_usd: "2.98" }),
    walletDay(CORA, "2026-06-01", { realized_total_usd: "9", cash_total_usd: "1", unmatched_usd: "20" }),
    walletDay(CORA, "2026-06-02", { realized_total_usd: "-1.5", cash_total_usd: "18.499999", is_estimated: true }),
  ]);
});
afterAll(() => store.close());

test("the report counts each wallet by its last day, and lists the largest residual first", async () => {
  const report = await pnlReport((statement) => store.rows(statement));
  expect(report).toEqual({
    newest: "2026-06-05",
    lines: [
      { status: "estimated", wallets: 1, balanced: 0, largest_residual_usd: "0.000001", realized_usd: "-1.5" },
      { status: "exact", wallets: 1, balanced: 1, largest_residual_usd: "0", realized_usd: "62.5" },
      { status: "unreconciled", wallets: 1, balanced: 0, largest_residual_usd: "0.02", realized_usd: "3" },
    ],
    furthest: [
      { wallet: BEN, status: "unreconciled", residual_usd: "0.02", events: 1 },
      { wallet: CORA, status: "estimated", residual_usd: "0.000001", events: 0 },
    ],
  });
  const lines = pnlText(report).split("\n");
  expect(lines[0]).toBe("Every wallet's cash identity, up to 2026-06-05");
  expect(lines.find((line) => line.startsWith("unreconciled "))).toMatch(/^unreconciled +1 +0 +0\.02 +3$/);
  expect(lines.find((line) => line.startsWith(BEN))).toContain("0.02");
  expect(pnlText(report)).not.toContain(ANNA);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/definition/sql.ts";
import { hex, tokenId } from "../fixtures/sample-rows.ts";
import { fillRow } from "../ingest/fill-rows.ts";
import { numbersOf, openFolded } from "./open-folded.ts";

const [ANN, YES] = [hex(0xa1, 40), tokenId(0)];
const DAY = "2026-03-01";

let folded: Awaited<ReturnType<typeof openFolded>>;
beforeAll(async () => {
  folded = await openFolded(
    {
      polymarket_fills: [
        { ...fillRow(1, Date.parse(DAY) / 1000), wallet: ANN, token_id: YES, shares: "100", usd: "40" },
      ],
      // The last trade was of a millionth of a share, for three thousandths of a dollar.
      token_days: [{ token_id: YES, day: DAY, trade_close: "3000", mark: "3000", volume_usd: "0.003", trade_count: 1 }],
    },
    DAY,
  );
});
afterAll(() => folded.close());

test("a mark of thousands of dollars values holdings without wrapping around", async () => {
  const [day] = await folded.store.rows(sql`SELECT open_value_usd FROM wallet_days FINAL`);
  expect(numbersOf(day, "open_value_usd")).toEqual([300_000]);
  const [position] = await folded.rows(1001, { proxy_wallet: ANN, token_id: YES, status: "ALL" });
  expect(numbersOf(position, "value")).toEqual([300_000]);
});

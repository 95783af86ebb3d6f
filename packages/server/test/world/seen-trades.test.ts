import { expect, test } from "vitest";
import { legOf, SeenTrades } from "../../../../scripts/verify/poll/seen-trades.ts";

const row = (id: string, second: number, more: object = {}) => ({
  id,
  transaction_hash: id.split("_")[0],
  proxy_wallet: "0x1",
  token_id: "7",
  side: "BUY",
  size: 5,
  timestamp: `2026-11-24T10:00:0${second}Z`,
  fee_usd: 0,
  ...more,
});
const once = (): number => 1;

test("counts nothing for rows that stay unchanged, even if they drop off the end of the page", () => {
  const seen = new SeenTrades();
  seen.take([row("b_1", 2), row("a_1", 1)], 2);
  seen.take([row("c_1", 3), row("b_1", 2)], 2);
  expect(seen.end(once)).toEqual({ polls: 2, ids: 3, underTwoIds: 0, changed: 0, vanished: 0, examples: [] });
});

test("counts an early row that is replaced by another as a trade under two ids, and as vanished", () => {
  const seen = new SeenTrades();
  seen.take([row("a_early", 3), row("z_1", 1)], 2);
  seen.take([row("b_1", 5), row("a_1", 4)], 2);
  seen.take([row("b_1", 5), row("a_1", 4), row("z_1", 1)], 9);
  expect(seen.end(once)).toMatchObject({ ids: 4, underTwoIds: 1, vanished: 1 });
});

test("accepts an id for each identical fill of a transaction, and counts an id for a trade that never happened", () => {
  const seen = new SeenTrades();
  const rows = [row("a_1", 1), row("a_2", 1), row("n_1", 1)];
  seen.take(rows, 9);
  const fills = new Map([[legOf(rows[0] ?? {}), 2]]);
  expect(seen.end((leg) => fills.get(leg) ?? 0)).toMatchObject({ ids: 3, underTwoIds: 1, vanished: 0 });
});

test("counts a field that changes once, with its previous value", () => {
  const seen = new SeenTrades();
  for (const fee_usd of [0, 2, 3]) seen.take([row("a_1", 1, { fee_usd })], 9);
  expect(seen.end(once)).toMatchObject({ changed: 1, examples: ["changed: fee_usd of a_1 was 0, is 2"] });
});

import type { RowWriter } from "../../definition/row-writer.ts";
import type { TokenDay } from "./day-sums.ts";

const NO_CONDITION = `0x${"0".repeat(64)}`;

/** A row of wallet_token_days, column by column in its order; the day in days since 1970. */
export function writeTokenDay(row: RowWriter, wallet: Buffer, day: number, sums: TokenDay): void {
  const { holding } = sums;
  row.begin();
  row.copy(wallet);
  row.day(day);
  row.wide(holding.token);
  row.hex(holding.condition === "" ? NO_CONDITION : holding.condition);
  row.count(sums.firstAt);
  row.count(sums.lastAt);
  row.count(sums.buys);
  row.count(sums.sells);
  row.micro(sums.sharesBought);
  row.micro(sums.bought);
  row.micro(sums.fee);
  row.micro(sums.realized);
  row.micro(holding.shares);
  row.micro(holding.cost);
  if (!row.isNull(holding.payout === undefined)) row.micro(holding.payout ?? 0);
  row.flag(false);
}

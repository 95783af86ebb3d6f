import type { RowWriter } from "../../definition/row-writer.ts";
import type { Ended } from "./day-sums.ts";

/** A row of wallet_condition_days, column by column in its order; the day in days since 1970. */
export function writeConditionDay(row: RowWriter, wallet: Buffer, day: number, condition: string, ended: Ended): void {
  row.begin();
  row.copy(wallet);
  row.day(day);
  row.hex(condition);
  row.count(ended.openedAt);
  row.count(ended.endedAt);
  row.count(ended.wins);
  row.count(ended.losses);
  row.count(ended.evens);
  row.count(ended.resolved);
  row.micro(ended.pnl);
  row.micro(ended.gained);
  row.micro(ended.bought);
  row.flag(false);
}

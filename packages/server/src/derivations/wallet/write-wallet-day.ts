import type { RowWriter } from "../../definition/row-writer.ts";
import type { FoldedDay } from "./folded-wallet.ts";
import type { Held } from "./held-tokens.ts";

/** A row of wallet_days, column by column in its order; the day in days since 1970. */
export function writeWalletDay(row: RowWriter, wallet: Buffer, sums: FoldedDay, held: Held): void {
  row.begin();
  row.copy(wallet);
  row.day(sums.day);
  if (!row.isNull(sums.firstAt === undefined)) row.count(sums.firstAt ?? 0);
  if (!row.isNull(sums.lastAt === undefined)) row.count(sums.lastAt ?? 0);
  row.count(sums.buys);
  row.count(sums.sells);
  row.count(sums.makerFills);
  row.count(sums.otherEvents);
  row.count(sums.wins);
  row.count(sums.losses);
  row.micro(sums.bought);
  row.micro(sums.sold);
  row.micro(sums.makerUsd);
  row.real(sums.boughtSquared);
  row.micro(sums.fee);
  row.micro(sums.realized);
  row.micro(sums.realizedFifo);
  row.micro(sums.cash);
  row.micro(sums.unmatchedUsd);
  row.micro(sums.cashTotal);
  row.micro(sums.realizedTotal);
  row.micro(sums.feeTotal);
  row.micro(sums.openCost);
  row.micro(sums.openValue);
  row.count(held.tokens);
  row.flag(sums.isEstimated);
  row.flag(false);
}

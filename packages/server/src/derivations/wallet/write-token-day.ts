import type { RowWriter } from "../../definition/row-writer.ts";
import type { TokenDay } from "./day-sums.ts";

const NO_CONDITION = `0x${"0".repeat(64)}`;

/** A row of wallet_token_days, column by column in its order; the day in days since 1970. */
export function writeTokenDay(row: RowWriter, wallet: string, day: number, sums: TokenDay): void {
  const { holding } = sums;
  row.begin();
  row.hex(wallet);
  row.day(day);
  row.wide(holding.token);
  row.hex(holding.condition === "" ? NO_CONDITION : holding.condition);
  row.count(sums.firstAt);
  row.count(sums.lastAt);
  row.count(sums.buys);
  row.count(sums.sells);
  row.count(sums.makerFills);
  row.count(sums.otherEvents);
  row.micro(sums.sharesBought);
  row.micro(sums.bought);
  row.micro(sums.sharesSold);
  row.micro(sums.sold);
  row.micro(sums.makerUsd);
  row.real(sums.boughtSquared);
  row.micro(sums.fee);
  row.micro(sums.split);
  row.micro(sums.merged);
  row.micro(sums.redeemed);
  row.micro(sums.converted);
  row.micro(sums.sharesIn);
  row.micro(sums.sharesOut);
  row.micro(sums.unmatched);
  row.micro(sums.realized);
  row.micro(sums.realizedFifo);
  row.micro(sums.cash);
  row.micro(holding.shares);
  row.micro(holding.cost);
  row.micro(holding.costFifo);
  writeHolding(row, sums);
  row.flag(false);
}

/** Its lots, its payout, and the position it is part of. */
function writeHolding(row: RowWriter, { holding, market: { open } }: TokenDay): void {
  row.length(holding.openCount);
  holding.eachOpen(({ shares, cost }) => {
    row.micro(shares);
    row.micro(cost);
  });
  if (!row.isNull(holding.payout === undefined)) row.micro(holding.payout ?? 0);
  if (!row.isNull(open === undefined)) row.count(open?.openedAt ?? 0);
  row.micro(open?.pnl ?? 0);
  row.micro(open?.bought ?? 0);
}

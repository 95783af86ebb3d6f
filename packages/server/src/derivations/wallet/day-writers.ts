import { RowWriter } from "../../definition/row-writer.ts";
import { boughtSquared } from "./bought-spread.ts";
import type { Ended, TokenDay } from "./day-sums.ts";
import type { FoldedDay } from "./folded-wallet.ts";
import type { Held } from "./held-tokens.ts";
import type { WalletState } from "./wallet-state.ts";

/**
 * Receives a wallet's days as they end (days since 1970): for each day its tokens, its conditions, then the wallet's
 * own.
 */
export type DaySink = {
  /** A token with an event. The object is reused for later days. */
  readonly tokenDay: (day: number, sums: TokenDay) => void;
  /** A condition (0x-hex) whose positions ended. */
  readonly conditionDay?: (day: number, condition: string, ended: Ended) => void;
  readonly walletDay: (sums: FoldedDay, held: Held) => void;
  /** The day is over, whether or not it has rows. */
  readonly dayOver?: (day: number, state: WalletState) => void;
};

const NO_CONDITION = `0x${"0".repeat(64)}`;

/** A row of wallet_token_days, column by column in its order; the day in days since 1970. */
function writeTokenDay(row: RowWriter, wallet: Buffer, day: number, sums: TokenDay): void {
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

/** A row of wallet_days, column by column in its order; the day in days since 1970. */
function writeWalletDay(row: RowWriter, wallet: Buffer, sums: FoldedDay, held: Held): void {
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
  row.real(boughtSquared(sums));
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

/** Writers of the rows of wallets' days, one per table. */
type DayWriters = {
  readonly tokenDays: RowWriter;
  readonly walletDays: RowWriter;
  /** Returns a sink that writes the days of a wallet (0x-hex) as rows. */
  readonly of: (wallet: string) => DaySink;
};

export function createDayWriters(): DayWriters {
  const [tokenDays, walletDays] = [new RowWriter(), new RowWriter()];
  return {
    tokenDays,
    walletDays,
    of: (wallet) => {
      const bytes = Buffer.from(wallet.slice(2), "hex");
      return {
        tokenDay: (day, sums) => writeTokenDay(tokenDays, bytes, day, sums),
        walletDay: (sums, held) => writeWalletDay(walletDays, bytes, sums, held),
      };
    },
  };
}

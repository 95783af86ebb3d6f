import { RowWriter } from "../../definition/row-writer.ts";
import type { DaySink } from "./day-sink.ts";
import { writeTokenDay } from "./write-token-day.ts";
import { writeWalletDay } from "./write-wallet-day.ts";

/** Writers of the rows of wallets' days, each of its table. */
export type DayWriters = {
  readonly tokenDays: RowWriter;
  readonly walletDays: RowWriter;
  /** What takes the days of a wallet (0x-hex) as rows. */
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

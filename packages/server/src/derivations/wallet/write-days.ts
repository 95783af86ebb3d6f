import type { DaySink } from "./day-sink.ts";
import type { DayWriters } from "./day-writers.ts";
import { writeConditionDay } from "./write-condition-day.ts";
import { writeTokenDay } from "./write-token-day.ts";
import { writeWalletDay } from "./write-wallet-day.ts";

/** Days of a wallet (0x-hex) become rows of the engine. */
export function writtenDays(into: DayWriters, hex: string): DaySink {
  const wallet = Buffer.from(hex.slice(2), "hex");
  return {
    tokenDay: (day, sums) => writeTokenDay(into, wallet, day, sums),
    conditionDay: (day, condition, ended) => writeConditionDay(into.conditionDays, wallet, day, condition, ended),
    walletDay: (sums, held) => writeWalletDay(into.walletDays, wallet, sums, held),
  };
}

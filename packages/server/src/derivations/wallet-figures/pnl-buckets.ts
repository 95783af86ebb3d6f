import { addMicros } from "../../definition/add-micros.ts";
import { inPercent, quotient } from "../../definition/quotient.ts";
import type { MadeRow } from "../../definition/served-keyed.ts";
import type { Amount } from "../wallet/folded-wallet.ts";

/** A day of a wallet with an event. */
export type PnlDay = {
  /** Its first second. */
  readonly date: number;
  readonly invested: Amount;
  /** Less fees. */
  readonly pnl: Amount;
  readonly fee: Amount;
  readonly fills: number;
  readonly wins: number;
  readonly losses: number;
};

const MOST_PERCENT = 100n * 10n ** 12n;

/** Rows of dataset 569 of a wallet's days, the earliest first; without `bucketOf` all are in one, named by the first of them. */
export function* pnlBuckets(
  wallet: string,
  days: Iterable<PnlDay>,
  bucketOf: ((date: number) => number) | undefined,
): Generator<MadeRow, void, void> {
  let bucket: PnlDay | undefined;
  for (const day of days) {
    const date = bucketOf === undefined ? (bucket?.date ?? day.date) : bucketOf(day.date);
    if (bucket !== undefined && bucket.date !== date) yield rowOf(wallet, bucket);
    bucket = bucket?.date === date ? sumOf(bucket, day) : { ...day, date };
  }
  if (bucket !== undefined) yield rowOf(wallet, bucket);
}

/** Both days in one, of the date of the first. */
export const sumOf = (a: PnlDay, b: PnlDay): PnlDay => ({
  date: a.date,
  invested: addMicros(a.invested, b.invested),
  pnl: addMicros(a.pnl, b.pnl),
  fee: addMicros(a.fee, b.fee),
  fills: a.fills + b.fills,
  wins: a.wins + b.wins,
  losses: a.losses + b.losses,
});

function rowOf(wallet: string, { date, invested, pnl, fee, fills, wins, losses }: PnlDay): MadeRow {
  return {
    at: date,
    values: () => {
      const rate = inPercent(quotient(BigInt(wins) * 1_000_000n, fills, 1n));
      return {
        date,
        proxy_wallet: wallet,
        invested,
        pnl,
        trades: fills,
        wins,
        losses,
        win_rate: rate && rate.parts > MOST_PERCENT ? { ...rate, parts: MOST_PERCENT } : rate,
        fees: fee,
      };
    },
  };
}

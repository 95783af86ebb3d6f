import { addMicros, lessMicros } from "../../definition/micros.ts";
import { inPercent, quotient } from "../../definition/served-buckets.ts";
import type { MadeRow } from "../../definition/served-keyed.ts";
import type { Amount, FoldedEnd, FoldedTokenDay, FoldedWallet } from "../wallet/folded-wallet.ts";
import { storedCondition } from "./tokens.ts";

export type MarketDaysRequested = {
  /** 0x-hex; zeros select the tokens whose market is unknown. */
  readonly conditions: ReadonlySet<string>;
  /** First seconds of days, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly isFifo: boolean;
};

const DAY = 86_400;

/** Days on which a wallet was active in some markets, or a position in them ended, the earliest first. */
export function marketDays(
  { tokenDays, ended }: Pick<FoldedWallet, "tokenDays" | "ended">,
  { conditions, from, to, isFifo }: MarketDaysRequested,
): PnlDay[] {
  const days = new Map<number, PnlDay>();
  const add = (day: PnlDay): void => {
    if (day.date < from || day.date > to) return;
    const before = days.get(day.date);
    days.set(day.date, before === undefined ? day : sumOf(before, day));
  };
  for (const each of tokenDays) if (conditions.has(storedCondition(each))) add(ofToken(each, isFifo));
  for (const each of ended) if (conditions.has(each.condition)) add(ofEnd(each));
  return [...days.values()].toSorted((a, b) => a.date - b.date);
}

const ofToken = (each: FoldedTokenDay, isFifo: boolean): PnlDay => ({
  date: each.day * DAY,
  invested: each.bought,
  pnl: lessMicros(isFifo ? each.realizedFifo : each.realized, each.fee),
  fee: each.fee,
  fills: each.buys + each.sells,
  wins: 0,
  losses: 0,
});

const ofEnd = ({ day, wins, losses }: FoldedEnd): PnlDay => ({
  date: day * DAY,
  invested: 0,
  pnl: 0,
  fee: 0,
  fills: 0,
  wins,
  losses,
});

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

const MAX_PERCENT = 100n * 10n ** 12n;

/**
 * Rows of dataset 569 from a wallet's days, the earliest first; without `bucketOf` all are in one, dated by the first
 * of them.
 */
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

/** Merges two days, with the date of the first. */
const sumOf = (a: PnlDay, b: PnlDay): PnlDay => ({
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
        win_rate: rate && rate.parts > MAX_PERCENT ? { ...rate, parts: MAX_PERCENT } : rate,
        fees: fee,
      };
    },
  };
}

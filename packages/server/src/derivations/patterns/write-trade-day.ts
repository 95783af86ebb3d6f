import { setImmediate as breathe } from "node:timers/promises";
import { addMicros } from "../../definition/micros.ts";
import { KeyNumbers } from "../../definition/key-numbers.ts";
import type { RowWriter } from "../../definition/row-writer.ts";
import { FILLS_PER_CYCLE, type DayFills, type DayRun } from "./day-fills.ts";
import type { SetEvents } from "./wallet-trade-days.ts";

/** Fewest maker's fills that make a market quoted. */
const QUOTES = 2;
/** Numbers below this are exact when multiplied by twenty. */
const EXACT = 2 ** 48;

/** A wallet's activity on a day, in the table's order; amounts in millionths. */
const nothing = () => ({
  fills: 0,
  usd: 0 as number | bigint,
  makerFills: 0,
  makerUsd: 0 as number | bigint,
  boughtShares: 0 as number | bigint,
  boughtUsd: 0 as number | bigint,
  sureUsd: 0 as number | bigint,
  markets: 0,
  quoted: 0,
  twoSided: 0,
});
type Done = ReturnType<typeof nothing>;

/**
 * A wallet's activity in a market as a maker: fills, and shares of the fills that made it longer of outcome 0 and
 * shorter.
 */
type Quoted = { readonly done: Done; fills: number; up: number | bigint; down: number | bigint };

/** Rows of `wallet_trade_days` of a day: one for each wallet with a fill. */
export async function writeTradeDay(
  row: RowWriter,
  fills: DayFills,
  { day, from, to }: DayRun,
  sets: SetEvents,
): Promise<void> {
  const wallets = new Map<number, Done>();
  const inMarkets = new KeyNumbers(2);
  const quotes: Quoted[] = [];
  const key = new Uint32Array(2);
  for (let fill = from; fill < to; fill += 1) {
    if ((fill - from) % FILLS_PER_CYCLE === 0) await breathe();
    const wallet = fills.wallet(fill);
    const side = fills.side(fill);
    let done = wallets.get(wallet);
    if (done === undefined) wallets.set(wallet, (done = nothing()));
    key[0] = wallet;
    key[1] = side >>> 1;
    const quoted = (quotes[inMarkets.of(key, 0)] ??= { done, fills: 0, up: 0, down: 0 });
    addFill(done, fills, fill);
    if (!fills.isMaker(fill)) continue;
    quoted.fills += 1;
    if (side & 1) quoted.up = addMicros(quoted.up, fills.shares(fill));
    else quoted.down = addMicros(quoted.down, fills.shares(fill));
  }
  for (const { done, fills: count, up, down } of quotes) {
    done.markets += 1;
    if (count < QUOTES) continue;
    done.quoted += 1;
    if (isQuarter(up, down) && isQuarter(down, up)) done.twoSided += 1;
  }
  for (const [wallet, done] of wallets) writeRow(row, day, fills.walletBytes(wallet), done, sets);
}

function addFill(done: Done, fills: DayFills, fill: number): void {
  const [shares, usd] = [fills.shares(fill), fills.usd(fill)];
  done.fills += 1;
  done.usd = addMicros(done.usd, usd);
  if (fills.isMaker(fill)) {
    done.makerFills += 1;
    done.makerUsd = addMicros(done.makerUsd, usd);
  }
  if (!fills.isBuy(fill)) return;
  done.boughtShares = addMicros(done.boughtShares, shares);
  done.boughtUsd = addMicros(done.boughtUsd, usd);
  if (isSure(shares, usd)) done.sureUsd = addMicros(done.sureUsd, usd);
}

/** Whether the price is 0.95 or more. */
function isSure(shares: number | bigint, usd: number | bigint): boolean {
  if (typeof shares === "number" && typeof usd === "number" && shares < EXACT && usd < EXACT)
    return 20 * usd >= 19 * shares;
  return 20n * BigInt(usd) >= 19n * BigInt(shares);
}

/** Whether one amount is at least a quarter of another; multiplying a number by four is exact. */
const isQuarter = (one: number | bigint, other: number | bigint): boolean =>
  typeof one === "number" ? 4 * one >= other : 4n * one >= other;

/** Writes the columns in the table's order. */
function writeRow(row: RowWriter, day: number, wallet: Uint8Array, done: Done, sets: SetEvents): void {
  row.begin();
  row.day(day);
  row.copy(wallet);
  row.count(done.fills);
  row.micro(done.usd);
  row.count(done.makerFills);
  row.micro(done.makerUsd);
  row.count(done.fills - done.makerFills);
  row.micro(done.boughtShares);
  row.micro(done.boughtUsd);
  row.micro(done.sureUsd);
  row.count(done.markets);
  row.count(done.quoted);
  row.count(done.twoSided);
  row.count(sets.of(day, wallet));
  row.flag(false);
}

import { setImmediate as breathe } from "node:timers/promises";
import { addMicros, lessMicros } from "../../definition/micros.ts";
import { KeyNumbers } from "../../definition/key-numbers.ts";
import type { RowWriter } from "../../definition/row-writer.ts";
import { FILLS_PER_CYCLE, type DayFills, type DayRun } from "./day-fills.ts";
import { pairKey, writePairRow } from "./write-pair-row.ts";

/** Smallest share of both wallets' matched volume of the day that the two matched with each other. */
const MIN_SHARE = 0.1;
const HASH_WORDS = 8;

/** Matches of two wallets with each other in a market. */
type Match = { readonly pair: number; n: number; up: number; usd: number | bigint };
type Pair = { readonly a: number; readonly b: number; usd: number | bigint };

/** Rows of wallets matched with each other on a day, if that is at least a tenth of the matched volume of both. */
export async function writeMatches(row: RowWriter, fills: DayFills, run: DayRun): Promise<void> {
  const takerOf = takersOf(fills, run);
  const [inMarkets, pairNumbers] = [new KeyNumbers(3), new KeyNumbers(2)];
  const [matches, pairs]: [Match[], Pair[]] = [[], []];
  const totals = new Map<number, number | bigint>();
  for (let fill = run.from; fill < run.to; fill += 1) {
    if ((fill - run.from) % FILLS_PER_CYCLE === 0) await breathe();
    const other = fills.isMaker(fill) ? takerOf(fill) : -1;
    if (other < 0) continue;
    const [maker, taker, side] = [fills.wallet(fill), fills.wallet(other), fills.side(fill)];
    const key = pairKey(fills, maker, taker, side >>> 1);
    const [a, b] = [key[0] as number, key[1] as number];
    const pair = pairNumbers.of(key, 0);
    const both = (pairs[pair] ??= { a, b, usd: 0 });
    const match = (matches[inMarkets.of(key, 0)] ??= { pair, n: 0, up: 0, usd: 0 });
    const usd = takenUsd(fills, fill);
    match.n += 1;
    if (((side & 1) === 1) === (maker === a)) match.up += 1;
    match.usd = addMicros(match.usd, usd);
    both.usd = addMicros(both.usd, usd);
    totals.set(a, addMicros(totals.get(a) ?? 0, usd));
    if (a !== b) totals.set(b, addMicros(totals.get(b) ?? 0, usd));
  }
  // In whole millionths, of which a tenth is exact.
  const isClose = ({ usd }: Pair, wallet: number): boolean => Number(usd) >= MIN_SHARE * Number(totals.get(wallet));
  for (const [number, { pair, n, up, usd }] of matches.entries()) {
    const both = pairs[pair] as Pair;
    if (!isClose(both, both.a) || !isClose(both, both.b)) continue;
    const { a, b } = both;
    writePairRow(
      row,
      fills,
      { day: run.day, kind: "match", a, b, market: inMarkets.word(number, 2) },
      { n, up, usd, expected: 0 },
    );
  }
}

/** The taker's notional, as in volumes: if sets were minted or merged, a dollar per share less the maker's notional. */
function takenUsd(fills: DayFills, maker: number): number | bigint {
  const usd = fills.usd(maker);
  if (!fills.madeSets(maker)) return usd;
  const rest = lessMicros(fills.shares(maker), usd);
  return rest > 0 ? rest : 0;
}

/**
 * Finds the fill that took a maker's; -1 if absent. In the log a match is its makers' fills, then its taker's, so the
 * taker is the next in the transaction; without blocks, the transaction's first.
 */
function takersOf(fills: DayFills, { from, to }: DayRun): (maker: number) => number {
  const transactions = new KeyNumbers(HASH_WORDS);
  const firsts: number[] = [];
  /** For each fill of the day the next taker's fill of its transaction. */
  const nexts = new Int32Array(to - from);
  for (let fill = from; fill < to; fill += 1) {
    if (!fills.isTaker(fill)) continue;
    const transaction = transactions.of(fills.words, fills.txAt(fill));
    nexts[fill - from] = firsts[transaction] ?? -1;
    firsts[transaction] = fill;
  }
  return (maker) => {
    const transaction = transactions.find(fills.words, fills.txAt(maker));
    const place = fills.block(maker) === 0 ? 0 : fills.logIndex(maker);
    let [found, least] = [-1, Number.POSITIVE_INFINITY];
    for (let fill = firsts[transaction] ?? -1; fill >= 0; fill = nexts[fill - from] as number) {
      const at = fills.logIndex(fill);
      if (at >= place && at < least) [found, least] = [fill, at];
    }
    return found;
  };
}

import { setImmediate as breathe } from "node:timers/promises";
import { addMicros } from "../../definition/micros.ts";
import { KeyNumbers } from "../../definition/key-numbers.ts";
import type { RowWriter } from "../../definition/row-writer.ts";
import { FILLS_PER_CYCLE, type DayFills, type DayRun } from "./day-fills.ts";
import { pairKey, writePairRow } from "./write-pair-row.ts";

/** Largest distance of two similar entries, in seconds. */
const ECHO_SECONDS = 12;
/** How many earlier entries of the same side are compared. */
const ECHO_DEPTH = 8;
/** Largest ratio of the two entries' shares. */
const ECHO_RATIO = 1.2;

/** A side of a market: when it was traded on the day, and its last entry so far. */
type Side = { readonly first: number; last: number; entry: number };
/** Similar entries of two wallets on a side. */
type Echo = { readonly a: number; readonly b: number; readonly side: number; n: number; usd: number | bigint };

/**
 * Rows of wallets that entered the same side of a market on a day seconds apart with about the same number of shares.
 * `expected` is the number by chance if both entered as often, independently, while that side was traded: entries of
 * any size count, so it errs on the side of chance.
 */
export async function writeEchoes(row: RowWriter, fills: DayFills, run: DayRun): Promise<void> {
  const { sides, owns, own, echoes } = await findEchoes(fills, run);
  const inMarkets = new KeyNumbers(3);
  const rows: {
    a: number;
    b: number;
    market: number;
    n: number;
    up: number;
    usd: number | bigint;
    expected: number;
  }[] = [];
  for (const { a, b, side, n, usd } of echoes) {
    const [market, key] = [side >>> 1, new Uint32Array([a, b, side >>> 1])];
    const sum = (rows[inMarkets.of(key, 0)] ??= { a, b, market, n: 0, up: 0, usd: 0, expected: 0 });
    const { first, last } = sides.get(side) as Side;
    const entriesOf = (wallet: number): number => own[owns.find(new Uint32Array([wallet, side]), 0)] as number;
    sum.n += n;
    if (side & 1) sum.up += n;
    sum.usd = addMicros(sum.usd, usd);
    sum.expected += (entriesOf(a) * entriesOf(b) * 2 * ECHO_SECONDS) / (last - first + 2 * ECHO_SECONDS);
  }
  for (const { a, b, market, ...figures } of rows)
    writePairRow(row, fills, { day: run.day, kind: "echo", a, b, market }, figures);
}

/** The echoes of a day, with its sides, and the number of entries of each wallet on a side. */
async function findEchoes(fills: DayFills, { from, to }: DayRun) {
  const [owns, numbers, key] = [new KeyNumbers(2), new KeyNumbers(3), new Uint32Array(2)];
  const [own, echoes]: [number[], Echo[]] = [[], []];
  const sides = new Map<number, Side>();
  /** For each fill of the day the previous entry of its side. */
  const befores = new Int32Array(to - from);
  for (let fill = from; fill < to; fill += 1) {
    if ((fill - from) % FILLS_PER_CYCLE === 0) await breathe();
    const side = fills.isMaker(fill) ? 0 : fills.side(fill);
    if (fills.isMaker(fill) || !fills.isKnown(side >>> 1)) continue;
    const [wallet, time] = [fills.wallet(fill), fills.time(fill)];
    key.set([wallet, side]);
    const entries = owns.of(key, 0);
    own[entries] = (own[entries] ?? 0) + 1;
    const traded = sides.get(side) ?? { first: time, last: time, entry: -1 };
    for (let [at, depth] = [traded.entry, 0]; at >= 0 && depth < ECHO_DEPTH; depth += 1) {
      if (time - fills.time(at) > ECHO_SECONDS) break;
      if (fills.wallet(at) !== wallet && isAlike(fills, at, fill)) {
        const pair = pairKey(fills, fills.wallet(at), wallet, side);
        const echo = (echoes[numbers.of(pair, 0)] ??= {
          a: pair[0] as number,
          b: pair[1] as number,
          side,
          n: 0,
          usd: 0,
        });
        const [one, other] = [fills.usd(at), fills.usd(fill)];
        echo.n += 1;
        echo.usd = addMicros(echo.usd, one < other ? one : other);
      }
      at = befores[at - from] as number;
    }
    befores[fill - from] = traded.entry;
    traded.entry = fill;
    traded.last = time;
    sides.set(side, traded);
  }
  return { sides, owns, own, echoes };
}

/** Compares whole millionths, of which a fifth is exact. */
function isAlike(fills: DayFills, one: number, other: number): boolean {
  const [first, second] = [Number(fills.shares(one)), Number(fills.shares(other))];
  return Math.max(first, second) <= ECHO_RATIO * Math.min(first, second);
}

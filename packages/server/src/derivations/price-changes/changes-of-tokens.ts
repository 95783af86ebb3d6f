import type { PackedRows } from "../../definition/packed-rows.ts";
import { RowWriter } from "../../definition/row-writer.ts";
import { Bars, type Buckets, EXTENTS, PRICE_RESOLUTIONS, type Resolutions } from "./buckets.ts";
import type { TokenMinutes } from "./minutes.ts";
import { Moves } from "./moves.ts";
import { writeChange } from "./write-change.ts";

/** Rows per batch, so that a slice of long histories does not fill the memory. */
const ROWS_AT_ONCE = 400_000;
const NAMES = Object.keys(PRICE_RESOLUTIONS);
const ALL: Buckets = { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY };
const { near, reach } = EXTENTS;

/** The buckets of a length whose rows are wanted. */
export type BucketsOf = (token: TokenMinutes, seconds: number) => Buckets;

/**
 * The rows of `price_changes` of some tokens, of all their buckets or the wanted ones. Each batch must be stored before
 * the next is requested.
 */
export function* changesOfTokens(
  resolutions: Resolutions,
  tokens: readonly TokenMinutes[],
  bucketsOf: BucketsOf = () => ALL,
): Generator<PackedRows> {
  const [bars, moves] = [new Bars(), new Moves()];
  const row = new RowWriter();
  for (const token of tokens) {
    for (const name of resolutions) {
      const seconds = PRICE_RESOLUTIONS[name];
      const wanted = bucketsOf(token, seconds);
      // A row depends on buckets this far before and after it.
      bars.fill(token, seconds, { first: wanted.first - reach - near - 1, last: wanted.last + near });
      moves.measure(bars, token.traded, seconds, wanted);
      const made = { token, seconds, choice: NAMES.indexOf(name) + 1, bars, moves };
      let previous = Number.NaN;
      for (let at = 0; at < bars.count; at += 1) {
        const bucket = bars.bucket[at] as number;
        if (bucket >= wanted.first && bucket <= wanted.last) writeChange(row, made, at, previous);
        const close = bars.close[at] as number;
        if (!Number.isNaN(close)) previous = close;
      }
    }
    if (row.written < ROWS_AT_ONCE) continue;
    yield row.packed();
    row.clear();
  }
  if (row.written > 0) yield row.packed();
}

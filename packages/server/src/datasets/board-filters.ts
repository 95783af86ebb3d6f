import { microsOf } from "../definition/micros.ts";
import type { Bound } from "../definition/sql.ts";
import { roundedParts } from "../definition/value-text.ts";
import { ofCounts, QUOTIENT_PLACES, type Decimal } from "../derivations/wallet-figures/amounts.ts";
import type { BoardSums } from "../derivations/wallet-window/board-columns.ts";

/** Whether a row of a board is shown. */
export type Keep = (row: BoardSums) => boolean;
type Filters = Readonly<Record<string, (bound: Bound) => Keep>>;
type Read = (row: BoardSums) => number | bigint | undefined;

/** Units of a quotient (10^-12) in a millionth. */
const PARTS = 1_000_000n;

/** A figure as it is shown, rounded, in units of a quotient; undefined if null. */
export const roundedTo = (places: number, figure: Decimal | null): bigint | undefined =>
  figure === null
    ? undefined
    : roundedParts(figure.parts, figure.places, places) * 10n ** BigInt(QUOTIENT_PLACES - places);

export const rateOf = ({ wins, losses }: BoardSums): bigint | undefined => ofCounts(wins, wins + losses)?.parts;
export const quotientIn = ({ value }: Bound): bigint => BigInt(microsOf(String(value))) * PARTS;
export const microsIn = ({ value }: Bound): number | bigint => microsOf(String(value));

/** Rejects rows whose figure is undefined, as do `atMost` and `above`. */
export function atLeast(least: number | bigint, read: Read): Keep {
  return (row) => (read(row) ?? Number.NaN) >= least;
}

export function atMost(most: number | bigint, read: Read): Keep {
  return (row) => (read(row) ?? Number.NaN) <= most;
}

export function above(least: number | bigint, read: Read): Keep {
  return (row) => (read(row) ?? Number.NaN) > least;
}

/** Whether a row meets all filters that were sent, tested in the order listed. */
export function meetsAll(filters: Filters, sent: Readonly<Partial<Record<string, Bound>>>): Keep {
  const kept = Object.entries(filters).flatMap(([param, filter]) => {
    const bound = sent[param];
    return bound === undefined ? [] : [filter(bound)];
  });
  return (row) => kept.every((keep) => keep(row));
}

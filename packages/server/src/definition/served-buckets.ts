import type { Fill } from "./fill.ts";
import type { Format } from "./column.ts";
import type { Given, OrderKey, Params } from "./dataset.ts";
import type { ServedTable } from "./served.ts";
import type { TableDefinition } from "./table.ts";

type Named<Name extends string> = Name extends unknown ? { readonly take: Name } : never;

/** How one amount of a bucket is aggregated from its minutes; minutes with null in the column do not count. */
export type Take =
  /** Value of the first or last minute that has one; with `orNull` of the first or last minute, even if null. */
  | (Named<"first" | "last"> & { readonly column: string; readonly orNull?: true })
  /** Minimum or maximum of all; `none` is the value that null counts as, and that becomes null in the result. */
  | (Named<"least" | "most"> & { readonly column: string; readonly none?: number })
  /** With `where`, only over minutes in which that column is not null. */
  | { readonly take: "sum"; readonly column: string; readonly where?: string }
  /** The sum of the products of two columns, in units of 10^-12. */
  | { readonly take: "products"; readonly columns: readonly [string, string] };

/** Aggregated values by name: amounts in millionths, counts as they are. */
export type Taken = (name: string) => number | bigint | null;

/**
 * A value of the response. By the kind of its field: a text (also JSON, as of a list), a timestamp (in seconds), a
 * count, a flag or an amount in millionths. Also an amount of another scale, a float, a timestamp in milli- or
 * microseconds, shown with all its decimals, or a value with its own JSON in raw (a string) and in typed.
 */
export type MadeValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | { readonly real: number }
  | { readonly parts: bigint; readonly places: number }
  | { readonly micros: number }
  | { readonly millis: number }
  | { readonly printedIn: (format: Format) => string };

/** Buckets of one length in seconds, named by their first second, or by their last if `isNamedByEnd`. */
export type Lengths = { readonly length: number; readonly shift: number; readonly isNamedByEnd: boolean };

export type BucketSearch = {
  readonly key: string;
  readonly lengths: Lengths;
  /** Range of minutes in seconds, both inclusive, in complete buckets. */
  readonly from: number;
  readonly to: number;
  readonly fill: Fill;
  /** Pages run forward from the oldest bucket; else back from the newest. */
  readonly isForward: boolean;
  readonly row: (
    bucket: number,
    taken: Taken,
    ofToken: (attribute: string) => string | null,
  ) => Record<string, MadeValue>;
};

/**
 * How a dataset of candles is answered from minutes by key in the serving index, byte for byte and in the same order as
 * by its query, which is the fallback.
 */
export type ServedBuckets<P extends Params = Params> = {
  readonly table?: never;
  readonly tables?: never;
  /** A trade exists where the first of these has a `close`. */
  readonly minutes: readonly {
    readonly table: ServedTable;
    /** The key column. */
    readonly key: string;
    readonly taken: Readonly<Record<string, Take>>;
  }[];
  /** The table whose dictionary describes the key, a token. */
  readonly tokens?: TableDefinition;
  /** As in the query: a single key, the bucket. */
  readonly order: readonly [OrderKey];
  /** Returns undefined where the engine must answer. */
  readonly search: (given: Given<P>) => BucketSearch | undefined;
};

/** The bucket that contains a second. */
export function bucketAt({ length, shift, isNamedByEnd }: Lengths, second: number): number {
  if (isNamedByEnd) return Math.ceil((second - shift) / length) * length + shift;
  return Math.floor((second - shift) / length) * length + shift;
}

export const firstOf = ({ length, isNamedByEnd }: Lengths, bucket: number): number =>
  isNamedByEnd ? bucket - length + 1 : bucket;

export const lastOf = (lengths: Lengths, bucket: number): number => firstOf(lengths, bucket) + lengths.length - 1;

const PLACES = 12;
const MILLION = 1_000_000n;

/**
 * Divides an amount in millionths by a number in units of 1/`unit`, truncated to twelve decimals, as the engine
 * divides; null for division by 0.
 */
export function quotient(over: number | bigint, under: number | bigint, unit: bigint): Quotient | null {
  const divisor = BigInt(under);
  return divisor === 0n ? null : { parts: (BigInt(over) * MILLION * unit) / divisor, places: PLACES };
}

type Quotient = Extract<MadeValue, { parts: bigint }>;

/** The same in percent. */
export const inPercent = (value: Quotient | null): Quotient | null => value && { ...value, parts: value.parts * 100n };

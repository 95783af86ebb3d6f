import type { Fill } from "./fill.ts";
import type { Format } from "./column.ts";
import type { Given, OrderKey, Params } from "./dataset.ts";
import type { ServedTable } from "./served.ts";
import type { TableDefinition } from "./table.ts";

type Named<Name extends string> = Name extends unknown ? { readonly take: Name } : never;

/** How one amount of a bucket is made of its minutes, of which those with null in the column do not count. */
export type Take =
  /** Of the first or the last minute with one; with `orNull` of the first or last minute, null where that has none. */
  | (Named<"first" | "last"> & { readonly column: string; readonly orNull?: true })
  /** Of all; `none` is what null counts as, and null where it comes out. */
  | (Named<"least" | "most"> & { readonly column: string; readonly none?: number })
  /** With `where` only of minutes in which that column is not null. */
  | { readonly take: "sum"; readonly column: string; readonly where?: string }
  /** The sum of the products of two columns, in parts of 10^12. */
  | { readonly take: "products"; readonly columns: readonly [string, string] };

/** What was taken: amounts in millionths and counts as they are, by name. */
export type Taken = (name: string) => number | bigint | null;

/**
 * A value of the answer: a text (also one of JSON, as of a list) or a moment (in seconds) or a count by the kind of its field, a flag,
 * an amount in millionths, or one of another scale, a float, or a moment in milli- or microseconds, which is shown with
 * all its decimals; or what is printed of JSON in raw (a string) and in typed.
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

/** Buckets of one length in seconds, named by their first second, or by their last where that is their name. */
export type Lengths = { readonly length: number; readonly shift: number; readonly isNamedByEnd: boolean };

export type BucketSearch = {
  readonly key: string;
  readonly lengths: Lengths;
  /** Of minutes in seconds, both inclusive; whole buckets. */
  readonly from: number;
  readonly to: number;
  readonly fill: Fill;
  /** Pages go forward from the oldest; else back from the newest. */
  readonly isForward: boolean;
  readonly row: (
    bucket: number,
    taken: Taken,
    ofToken: (attribute: string) => string | null,
  ) => Record<string, MadeValue>;
};

/**
 * How a dataset of candles is answered from minutes held by a key, in the same bytes and order as by its query, which
 * answers where these do not reach.
 */
export type ServedBuckets<P extends Params = Params> = {
  readonly table?: never;
  readonly tables?: never;
  /** Where the first ones have a `close`, there was a trade. */
  readonly minutes: readonly {
    readonly table: ServedTable;
    /** The column of the key. */
    readonly key: string;
    readonly taken: Readonly<Record<string, Take>>;
  }[];
  /** Has a dictionary that tells of the key, a token. */
  readonly tokens?: TableDefinition;
  /** As in the query: one, the bucket. */
  readonly order: readonly [OrderKey];
  /** Undefined where the engine is to answer. */
  readonly search: (given: Given<P>) => BucketSearch | undefined;
};

/** The bucket of a second. */
export function bucketAt({ length, shift, isNamedByEnd }: Lengths, second: number): number {
  if (isNamedByEnd) return Math.ceil((second - shift) / length) * length + shift;
  return Math.floor((second - shift) / length) * length + shift;
}

export const firstOf = ({ length, isNamedByEnd }: Lengths, bucket: number): number =>
  isNamedByEnd ? bucket - length + 1 : bucket;

export const lastOf = (lengths: Lengths, bucket: number): number => firstOf(lengths, bucket) + lengths.length - 1;

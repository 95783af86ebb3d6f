import type { Touched } from "../../definition/derivation.ts";
import type { PackedRows } from "../../definition/packed-rows.ts";
import { bind, fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { priceChanges } from "../../tables/price-changes.ts";
import { type Buckets, EXTENTS, PRICE_RESOLUTIONS, type Resolutions } from "./buckets.ts";
import { daysOfSpan, SPANS, withTouched } from "./minutes-of-touched.ts";

const BROUGHT = Object.entries(priceChanges.columns).filter(([column]) => column !== "version");
const COLUMNS = fromDefinition(BROUGHT.map(([column]) => column).join(", "));
/** Length in bytes of the key at the start of a row: resolution, bucket, token. */
const KEY = 37;
const [BUCKET_AT, TOKEN_AT] = [1, 5];
const WIDTHS: Readonly<Record<string, number>> = {
  Bool: 1,
  Enum8: 1,
  DateTime: 4,
  Float32: 4,
  UInt32: 4,
  Decimal64: 8,
  Float64: 8,
  UInt256: 32,
};
/** Width of each column after the key, in the table's order. */
const REST = BROUGHT.slice(priceChanges.key.length).map(([, { stored }]) => {
  const [, nullable, type = ""] = /^(Nullable\()?(\w+)/.exec(stored) ?? [];
  const width = WIDTHS[type];
  if (width === undefined) throw new TypeError(`rows of changes have no column of ${stored}`);
  return { isNullable: nullable !== undefined, width };
});
const SECONDS = Object.values(PRICE_RESOLUTIONS);
const { near, reach } = EXTENTS;

const RESOLUTION = fromDefinition(priceChanges.columns["resolution"]?.stored ?? "");

const secondsOfBuckets = (count: number): Sql => sql`${bind("Int64", count)} * length.2`;

/** Stored rows of the touched tokens, on the days of buckets that may differ, in the format of packed rows. */
export function storedChangesSql(resolutions: Resolutions, touched: readonly Touched[]): Sql {
  const lengths = fromDefinition(resolutions.map((name) => `('${name}', ${PRICE_RESOLUTIONS[name]})`).join(", "));
  const days = daysOfSpan(secondsOfBuckets(near + 1), secondsOfBuckets(reach + near + 1));
  // One condition on the table's sorting key for all resolutions: each condition costs the engine some 4 ms to plan.
  return sql`${withTouched(touched)} SELECT ${COLUMNS} FROM ${priceChanges} FINAL PREWHERE (resolution, toDate(bucket), token_id) IN (
  SELECT CAST(length.1 AS ${RESOLUTION}), ${days}, span.1 FROM ${SPANS} ARRAY JOIN [${lengths}] AS length) WHERE NOT is_gone`;
}

/** Returns where the row that begins at `begin` ends. */
function endOf(bytes: Buffer, begin: number): number {
  let place = begin + KEY;
  for (const { isNullable, width } of REST) {
    const isNull = isNullable && bytes[place] === 1;
    place += (isNullable ? 1 : 0) + (isNull ? 0 : width);
  }
  return place;
}

/** The buckets of a length that are rebuilt for a token (its bytes as latin1). */
type BucketsOf = (token: string, seconds: number) => Buckets;

/** Stored rows to be rebuilt, by key, until they are. */
export class StoredChanges {
  readonly #bytes: Buffer;
  readonly #rows = new Map<string, { readonly from: number; readonly to: number }>();

  constructor(bytes: Buffer, bucketsOf: BucketsOf) {
    this.#bytes = bytes;
    for (let from = 0, to = 0; from < bytes.length; from = to) {
      to = endOf(bytes, from);
      const seconds = SECONDS[(bytes[from] as number) - 1] ?? 0;
      const bucket = Math.floor(bytes.readUInt32LE(from + BUCKET_AT) / seconds);
      const { first, last } = bucketsOf(bytes.toString("latin1", from + TOKEN_AT, from + KEY), seconds);
      if (bucket >= first && bucket <= last) this.#rows.set(bytes.toString("latin1", from, from + KEY), { from, to });
    }
  }

  /** Returns the rows that differ from the stored ones. */
  onlyNew({ bytes, starts }: PackedRows): PackedRows {
    const kept: Buffer[] = [];
    for (const [index, from] of starts.entries()) {
      const to = starts[index + 1] ?? bytes.length;
      const key = bytes.toString("latin1", from, from + KEY);
      const stored = this.#rows.get(key);
      this.#rows.delete(key);
      if (stored && bytes.compare(this.#bytes, stored.from, stored.to, from, to) === 0) continue;
      kept.push(bytes.subarray(from, to));
    }
    return packed(kept);
  }

  /** Returns the remaining rows, which were not rebuilt, as tombstones. */
  gone(): PackedRows {
    return packed(
      [...this.#rows.values()].map(({ from, to }) => {
        const row = Buffer.from(this.#bytes.subarray(from, to));
        row[row.length - 1] = 1;
        return row;
      }),
    );
  }
}

function packed(rows: readonly Buffer[]): PackedRows {
  let place = 0;
  const starts = rows.map((row) => (place += row.length) - row.length);
  return { kind: "packed", bytes: Buffer.concat(rows), starts };
}

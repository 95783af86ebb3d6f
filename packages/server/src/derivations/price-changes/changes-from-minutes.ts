import type { Rebuild, RowsDerivation, RowsReader, Touched } from "../../definition/derivation.ts";
import type { PackedRows } from "../../definition/packed-rows.ts";
import { bytesOfToken } from "../../definition/bytes.ts";
import { bookQuotes } from "../../tables/book-quotes.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { priceChanges } from "../../tables/price-changes.ts";
import { type Buckets, EXTENTS, type Resolutions } from "./buckets.ts";
import { changesOfTokens } from "./changes-of-tokens.ts";
import { minutesOfSlice, minuteSlices, type MinutesSql } from "./minutes-of-slice.ts";
import { madeAgainFrom, minutesBefore, minutesOfTouched } from "./minutes-of-touched.ts";
import { tokenMinutes, tradedRunsOf, type TokenMinutes } from "./minutes.ts";
import { StoredChanges, storedChangesSql } from "./stored-changes.ts";
import { touchedSql } from "./touched-sql.ts";

const BINARY = "RowBinary";
const MINUTES_A_SLICE = 400_000;
const { near, reach } = EXTENTS;

const readMinutes = ({ readBytes }: RowsReader, { traded, quoted }: MinutesSql): Promise<[Uint8Array, Uint8Array]> =>
  Promise.all([readBytes(traded, BINARY), readBytes(quoted, BINARY)]);

/** Reads minutes around touched ones, and the last trade before them for tokens without a recent trade. */
async function readTouched(
  resolutions: Resolutions,
  touched: ReadonlyMap<string, Touched>,
  reader: RowsReader,
): Promise<TokenMinutes[]> {
  const [traded, quoted] = await readMinutes(reader, minutesOfTouched(resolutions, [...touched.values()]));
  const quiet = new Map(touched);
  for (const { key, first } of tradedRunsOf(traded)) {
    const one = quiet.get(key);
    if (one !== undefined && first < madeAgainFrom(resolutions, one)) quiet.delete(key);
  }
  if (quiet.size === 0) return tokenMinutes(traded, quoted);
  const before = await reader.readBytes(minutesBefore(resolutions, [...quiet.values()]), BINARY);
  return tokenMinutes(afterEarlier(before, traded), quoted);
}

/** Each token's rows after its row of `before`; the order of tokens does not matter. */
function afterEarlier(before: Uint8Array, traded: Uint8Array): Uint8Array {
  const earlier = new Map([...tradedRunsOf(before)].map(({ key, rows }) => [key, rows]));
  const parts: Uint8Array[] = [];
  for (const { key, rows } of tradedRunsOf(traded)) {
    const first = earlier.get(key);
    if (first !== undefined) parts.push(first);
    earlier.delete(key);
    parts.push(rows);
  }
  return Buffer.concat([...parts, ...earlier.values()]);
}

/** Rebuilds changes at some resolutions: around touched minutes, else of a slice of tokens. */
async function* rebuildChanges(
  resolutions: Resolutions,
  { touched, slice }: Rebuild,
  reader: RowsReader,
): AsyncGenerator<PackedRows> {
  if (touched !== undefined) yield* rebuildTouched(resolutions, touched, reader);
  else yield* changesOfTokens(resolutions, tokenMinutes(...(await readMinutes(reader, minutesOfSlice(slice)))));
}

/** Returns only rows that differ from the stored ones, and tombstones for rows no longer produced. */
async function* rebuildTouched(
  resolutions: Resolutions,
  touched: readonly Touched[],
  reader: RowsReader,
): AsyncGenerator<PackedRows> {
  const spans = new Map(touched.map((one) => [bytesOf(one.key).toString("latin1"), one]));
  const bucketsOf = (token: string, seconds: number): Buckets => changedOf(spans.get(token), seconds);
  const bytes = await reader.readBytes(storedChangesSql(resolutions, touched), BINARY);
  const stored = new StoredChanges(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), bucketsOf);
  const minutes = await readTouched(resolutions, spans, reader);
  for (const rows of changesOfTokens(resolutions, minutes, ({ token }, seconds) =>
    bucketsOf(token.toString("latin1"), seconds),
  ))
    yield stored.onlyNew(rows);
  yield stored.gone();
}

/** The buckets whose rows may differ after minutes changed. */
function changedOf(touched: Touched | undefined, seconds: number): Buckets {
  if (touched === undefined) return { first: 0, last: -1 };
  return {
    first: Math.floor(Number(touched.first) / seconds) - near,
    last: Math.floor(Number(touched.last) / seconds) + reach + near,
  };
}

/** 256 bits in the engine's form, the lowest byte first. */
const bytesOf = (token: string): Buffer => Buffer.from(bytesOfToken(token).toReversed());

/** Derives price changes at some resolutions from candles and quotes; touched buckets have a length in seconds. */
export const changesFromMinutes = (
  resolutions: Resolutions,
  bucketSeconds: number,
): Omit<RowsDerivation, "name" | "title"> => ({
  from: polymarketCandles,
  also: [bookQuotes],
  into: priceChanges,
  timestamp: "minute",
  bucketSeconds,
  slices: minuteSlices(MINUTES_A_SLICE),
  marksGone: true,
  touched: (rebuild) => touchedSql(resolutions, bucketSeconds, rebuild),
  rows: (rebuild, reader) => rebuildChanges(resolutions, rebuild, reader),
});

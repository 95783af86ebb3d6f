import { LAST_SECOND } from "../definition/served.ts";
import {
  bucketAt,
  lastOf,
  type BucketSearch,
  type Lengths,
  type MadeValue,
  type ServedBuckets,
  type Take,
  type Taken,
  quotient,
} from "../definition/served-buckets.ts";
import { fillOf } from "../definition/fill.ts";
import { timestampMicros } from "../definition/timestamp.ts";
import type { Bound } from "../definition/sql.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { servedCandles as candles, servedQuotes as quotes } from "../tables/served-candles.ts";

type Requested = Readonly<Partial<Record<"token_id" | "interval" | "fill" | "start_time" | "end_time" | "tz", Bound>>>;

type Amount = ReturnType<Taken>;

const MINUTE = 60;
const DAY = 86_400;
/** The first Monday of 1970, in seconds. */
const MONDAY = 4 * DAY;
const LENGTHS: Readonly<Record<string, Omit<Lengths, "isNamedByEnd">>> = {
  "1m": { length: MINUTE, shift: 0 },
  "5m": { length: 5 * MINUTE, shift: 0 },
  "15m": { length: 15 * MINUTE, shift: 0 },
  "1h": { length: 60 * MINUTE, shift: 0 },
  "4h": { length: 240 * MINUTE, shift: 0 },
  "1d": { length: DAY, shift: 0 },
  "1w": { length: 7 * DAY, shift: MONDAY },
};
const MILLION = 1_000_000n;

function maybeQuotient(over: Amount, under: Amount, unit: bigint): MadeValue {
  return over === null || under === null ? null : quotient(over, under, unit);
}

const sumOf = (column: string): Take => ({ take: "sum", column });
const TRADED: Readonly<Record<string, Take>> = {
  open: { take: "first", column: "open" },
  high: { take: "most", column: "high" },
  low: { take: "least", column: "low" },
  close: { take: "last", column: "close" },
  price_sum: sumOf("price_sum"),
  volume: sumOf("volume"),
  volume_usd: sumOf("volume_usd"),
  trade_count: sumOf("trade_count"),
};
const quotesOf = (side: string): Record<string, Take> => ({
  [`${side}_open`]: { take: "first", column: `${side}_open`, orNull: true },
  [`${side}_high`]: { take: "most", column: `${side}_high` },
  [`${side}_low`]: { take: "least", column: `${side}_low` },
  [`${side}_close`]: { take: "last", column: `${side}_close`, orNull: true },
});
const QUOTED: Readonly<Record<string, Take>> = { ...quotesOf("bid"), ...quotesOf("ask") };

const COLUMNS = [...Object.keys(TRADED), ...Object.keys(QUOTED)];

const rowOf =
  (token: string): BucketSearch["row"] =>
  (bucket, taken, ofToken) => {
    const [bid, ask] = [taken("bid_close"), taken("ask_close")];
    const row: Record<string, MadeValue> = {
      candle_time: bucket,
      token_id: token,
      mean: maybeQuotient(taken("price_sum"), taken("trade_count"), 1n),
      outcome: ofToken("outcome"),
      condition_id: ofToken("condition_id"),
      spread: bid === null || ask === null ? null : BigInt(ask) - BigInt(bid),
      vwap: maybeQuotient(taken("volume_usd"), taken("volume"), MILLION),
    };
    for (const name of COLUMNS) row[name] = taken(name);
    for (const name of ["volume", "volume_usd", "trade_count"]) row[name] ??= 0;
    return row;
  };

function search(p: Requested): BucketSearch | undefined {
  const interval = String(p.interval?.value);
  const found = LENGTHS[interval];
  if (found === undefined || p.token_id === undefined) return undefined;
  // Days of other zones differ in length.
  if (found.length >= DAY && p.tz !== undefined && p.tz.value !== "UTC") return undefined;
  const lengths: Lengths = { ...found, isNamedByEnd: false };
  const bucketOf = (timestamp: Bound): number => bucketAt(lengths, Math.floor(timestampMicros(timestamp) / 1e6));
  const token = String(p.token_id.value);
  return {
    key: token,
    lengths,
    from: p.start_time ? bucketOf(p.start_time) : Math.max(0, lengths.shift),
    to: p.end_time ? lastOf(lengths, bucketOf(p.end_time)) : LAST_SECOND,
    fill: fillOf(p.fill),
    isForward: p.start_time !== undefined,
    row: rowOf(token),
  };
}

/** Dataset 568 from the minutes of the serving index; `order` is that of its query. */
export const servedCandlesDataset: Omit<ServedBuckets, "order"> = {
  minutes: [
    { table: candles, key: "token_id", taken: TRADED },
    { table: quotes, key: "instrument", taken: QUOTED },
  ],
  tokens: polymarketTokens,
  search,
};

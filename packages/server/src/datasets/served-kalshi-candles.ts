import { LAST_SECOND } from "../definition/served.ts";
import {
  bucketAt,
  firstOf,
  type BucketSearch,
  type Lengths,
  type MadeValue,
  type ServedBuckets,
  type Take,
  type Taken,
} from "../definition/served-buckets.ts";
import { fillOf } from "../definition/fill.ts";
import { timestampMicros } from "../definition/timestamp.ts";
import type { Bound } from "../definition/sql.ts";
import { servedKalshiCandles as table } from "../tables/served-kalshi-candles.ts";

type Requested = Readonly<Partial<Record<"ticker" | "interval" | "fill" | "start_time" | "end_time", Bound>>>;

const MICROS = 1_000_000;
const MINUTES: Readonly<Record<string, number>> = { "1m": 1, "1h": 60, "1d": 1440 };
const CENTS = 100n;
/** The venue gives an empty side as a bid of 0 or an ask of 1. */
const NO_BID = 0;
const NO_ASK = 1_000_000;

const first = (column: string, orNull?: true): Take => ({ take: "first", column, ...(orNull ? { orNull } : {}) });
const last = (column: string, orNull?: true): Take => ({ take: "last", column, ...(orNull ? { orNull } : {}) });

/** As in the query of hours and days. */
const TAKEN: Readonly<Record<string, Take>> = {
  open: first("open"),
  high: { take: "most", column: "high" },
  low: { take: "least", column: "low" },
  close: last("close"),
  mean: last("mean"),
  mean_volume: { take: "products", columns: ["mean", "volume"] },
  volume_of_mean: { take: "sum", column: "volume", where: "mean" },
  volume: { take: "sum", column: "volume" },
  open_interest: last("open_interest"),
  bid_open: first("yes_bid_open", true),
  bid_high: { take: "most", column: "yes_bid_high" },
  bid_low: { take: "least", column: "yes_bid_low", none: NO_BID },
  bid_close: last("yes_bid_close", true),
  ask_open: first("yes_ask_open", true),
  ask_high: { take: "most", column: "yes_ask_high", none: NO_ASK },
  ask_low: { take: "least", column: "yes_ask_low" },
  ask_close: last("yes_ask_close", true),
  // For a minute that is returned unchanged.
  own_bid_low: last("yes_bid_low", true),
  own_ask_high: last("yes_ask_high", true),
};
const PRICES = [
  "open",
  "high",
  "low",
  "close",
  "bid_open",
  "bid_high",
  "bid_close",
  "ask_open",
  "ask_low",
  "ask_close",
];

const cents = (usd: number | bigint | null): MadeValue => (usd === null ? null : BigInt(usd) * CENTS);

/** Mean weighted by contracts: truncated to twelve decimals, then rounded to six, halves away from zero. */
function meanOf(taken: Taken): bigint | null {
  const [over, under] = [taken("mean_volume"), taken("volume_of_mean")];
  if (over === null || under === null || BigInt(under) === 0n) return null;
  const parts = (BigInt(over) * BigInt(MICROS)) / BigInt(under);
  return (parts < 0n ? parts - 500_000n : parts + 500_000n) / BigInt(MICROS);
}

function rowOf(ticker: string, minutes: number, isOwn: boolean): BucketSearch["row"] {
  return (bucket, taken) => ({
    ...Object.fromEntries(PRICES.map((name) => [name, cents(taken(name))])),
    ticker,
    end_time: bucket,
    mean: cents(isOwn ? taken("mean") : meanOf(taken)),
    volume: taken("volume") ?? 0,
    open_interest: taken("open_interest"),
    bid_low: cents(taken(isOwn ? "own_bid_low" : "bid_low")),
    ask_high: cents(taken(isOwn ? "own_ask_high" : "ask_high")),
    period_minutes: minutes,
  });
}

function search(p: Requested): BucketSearch | undefined {
  const minutes = MINUTES[String(p.interval?.value)];
  if (minutes === undefined || p.ticker === undefined) return undefined;
  const fill = fillOf(p.fill);
  // Rows of a minute are returned unchanged, whatever second they end at.
  const isOwn = minutes === 1 && fill !== "previous";
  const lengths: Lengths = { length: isOwn ? 1 : minutes * 60, shift: 0, isNamedByEnd: true };
  const [from, to] = [p.start_time, p.end_time].map((timestamp) => timestamp && timestampMicros(timestamp) / MICROS);
  const end = to === undefined ? LAST_SECOND : Math.floor(to);
  const ticker = String(p.ticker.value);
  return {
    key: ticker,
    lengths,
    from: from === undefined ? 0 : firstOf(lengths, bucketAt(lengths, Math.ceil(from))),
    to: to === undefined ? end : Math.floor(end / lengths.length) * lengths.length,
    fill,
    isForward: p.start_time !== undefined,
    row: rowOf(ticker, minutes, isOwn),
  };
}

/** Dataset 1101 from the minutes of the serving index; `order` is that of its query. */
export const servedKalshiCandlesDataset: Omit<ServedBuckets, "order"> = {
  minutes: [{ table, key: "ticker", taken: TAKEN }],
  search,
};

import { one, type Query } from "../../polymarket/query-values.ts";
import { invalid } from "./x-problem.ts";

/** X counts milliseconds from here. */
const EPOCH_MS = 1_288_834_974_657;

/** Id of a post on X: its moment above, 22 bits below. Ids rise with time, and within a millisecond with `low`. */
function snowflake(ms: number, low: number): string {
  return String((BigInt(Math.max(0, ms - EPOCH_MS)) << 22n) + BigInt(low % 2 ** 22));
}

const WEEK_MS = 7 * 86_400_000;
/** What is younger is not found yet. */
const LAG_MS = 30_000;
const SHORTEST_LAG_MS = 10_000;

/** Moments from and before, and ids above and below. */
export interface Range {
  from_ms: number;
  before_ms: number;
  above_id: bigint;
  below_id: bigint | undefined;
}

/** Reads start_time, end_time, since_id and until_id; the last seven days are all there is. */
export function readRange(query: Query, now: number): Range {
  // To the minute, as X says it.
  const oldest = Math.floor((now - WEEK_MS) / 60_000) * 60_000;
  const since = readId(query, "since_id");
  const start = since === undefined ? readTime(query, "start_time") : undefined;
  const end = readTime(query, "end_time");
  if (start !== undefined && start < oldest)
    throw wrongTime(query, "start_time", `must be on or after ${minuteOf(oldest)}`);
  if (end !== undefined && end > now - SHORTEST_LAG_MS)
    throw wrongTime(query, "end_time", "must be a minimum of 10 seconds prior to the request time.");
  const before_ms = end ?? now - LAG_MS;
  const from_ms = start ?? oldest;
  if (from_ms >= before_ms) throw wrongTime(query, "end_time", "must be after 'start_time'");
  const first = snowflake(oldest, 0);
  if (since !== undefined && since < BigInt(first))
    throw invalid(
      "since_id",
      String(since),
      `'since_id' must be a tweet id created after ${minuteOf(oldest)}. Please use a 'since_id' that is larger than ${first}`,
    );
  return { from_ms, before_ms, above_id: since ?? 0n, below_id: readId(query, "until_id") };
}

function readTime(query: Query, name: string): number | undefined {
  const text = one(query, name);
  if (text === undefined) return undefined;
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    throw invalid(name, text, `The \`${name}\` query parameter value [${text}] is not a valid RFC3339 date`);
  // Fractions of a second are cut off.
  return Math.floor(ms / 1000) * 1000;
}

function readId(query: Query, name: string): bigint | undefined {
  const text = one(query, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,19}$/.test(text))
    throw invalid(name, text, `The \`${name}\` query parameter value [${text}] does not match ^[0-9]{1,19}$`);
  return BigInt(text);
}

function wrongTime(query: Query, name: string, what: string) {
  const text = one(query, name) ?? "";
  return invalid(name, text, `Invalid '${name}':'${text}'. '${name}' ${what}`);
}

function minuteOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}Z`;
}

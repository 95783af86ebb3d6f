import { one, type Query } from "../../polymarket/query-values.ts";
import { invalid } from "./x-problem.ts";

/** Epoch of X's post ids, ms. */
const EPOCH_MS = 1_288_834_974_657;

/** Smallest X post id of a timestamp, whose lower 22 bits are 0. Ids increase with time. */
function minId(ms: number): string {
  return String(BigInt(Math.max(0, ms - EPOCH_MS)) << 22n);
}

const WEEK_MS = 7 * 86_400_000;
/** Younger posts are not searchable yet. */
const LAG_MS = 30_000;

/** Time range (end excluded) and id range (both excluded). */
export interface Range {
  from_ms: number;
  before_ms: number;
  above_id: bigint;
  below_id: bigint | undefined;
}

/** Reads since_id and until_id; only the last seven days are searchable. */
export function readRange(query: Query, now: number): Range {
  // Cut to the minute, as in X's error message.
  const oldest = Math.floor((now - WEEK_MS) / 60_000) * 60_000;
  const since = readId(query, "since_id");
  const first = minId(oldest);
  if (since !== undefined && since < BigInt(first))
    throw invalid(
      "since_id",
      String(since),
      `'since_id' must be a tweet id created after ${new Date(oldest).toISOString().slice(0, 16)}Z. Please use a 'since_id' that is larger than ${first}`,
    );
  return { from_ms: oldest, before_ms: now - LAG_MS, above_id: since ?? 0n, below_id: readId(query, "until_id") };
}

function readId(query: Query, name: string): bigint | undefined {
  const text = one(query, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,19}$/.test(text))
    throw invalid(name, text, `The \`${name}\` query parameter value [${text}] does not match ^[0-9]{1,19}$`);
  return BigInt(text);
}

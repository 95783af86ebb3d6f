import { one, type Query } from "../../polymarket/query-values.ts";
import { invalid } from "./x-problem.ts";

/** X counts milliseconds from here. */
const EPOCH_MS = 1_288_834_974_657;

/** The least id of a post of a moment on X, 22 bits below it. Ids rise with time. */
function leastId(ms: number): string {
  return String(BigInt(Math.max(0, ms - EPOCH_MS)) << 22n);
}

const WEEK_MS = 7 * 86_400_000;
/** What is younger is not found yet. */
const LAG_MS = 30_000;

/** Moments from and before, and ids above and below. */
export interface Range {
  from_ms: number;
  before_ms: number;
  above_id: bigint;
  below_id: bigint | undefined;
}

/** Reads since_id and until_id; the last seven days are all there is. */
export function readRange(query: Query, now: number): Range {
  // To the minute, as X says it.
  const oldest = Math.floor((now - WEEK_MS) / 60_000) * 60_000;
  const since = readId(query, "since_id");
  const first = leastId(oldest);
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

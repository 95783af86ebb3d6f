import type { FoldReader } from "../../definition/fold.ts";
import { bind, sql } from "../../definition/sql.ts";
import { tokenDays } from "../../tables/token-days.ts";
import type { MarkOf } from "../wallet/day-rows.ts";
import { knownOnce } from "./known-once.ts";
import { tabRows } from "./tab-rows.ts";

/** Days since 1970, ascending, and the mark (1e-6 USD a share) of each. */
type Marks = { readonly days: Uint16Array; readonly marks: Int32Array };

const DAY_MS = 86_400_000;

/** The newest mark of any of these tokens on a day or before it. */
export async function readMarks(read: FoldReader, tokens: Iterable<string>): Promise<MarkOf> {
  const known = await knownOnce(read, "marks", tokens, (ids) => find(read, ids));
  let [text, number] = ["", 0];
  return (token, day) => {
    if (day !== text) [text, number] = [day, Date.parse(day) / DAY_MS];
    const found = known.get(token);
    return found && newestAt(found, number);
  };
}

function newestAt({ days, marks }: Marks, day: number): bigint | undefined {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] ?? 0) <= day) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : BigInt(marks[low - 1] ?? 0);
}

async function find(read: FoldReader, ids: readonly string[]): Promise<ReadonlyMap<string, Marks>> {
  const bytes = await read.bytes(
    sql`SELECT token_id, arrayStringConcat(groupArray(toString(toUInt16(day))), ','), arrayStringConcat(groupArray(toString(reinterpretAsInt64(mark))), ',') FROM (SELECT token_id, day, mark FROM ${tokenDays} FINAL WHERE token_id IN (SELECT toUInt256(arrayJoin(splitByChar(',', ${bind("String", ids.join(","))})))) ORDER BY token_id, day) GROUP BY token_id`,
    "TSV",
  );
  const found = new Map<string, Marks>();
  for (const [token = "", days = "", marks = ""] of tabRows(bytes)) {
    found.set(token, {
      days: Uint16Array.from(days.split(","), Number),
      marks: Int32Array.from(marks.split(","), Number),
    });
  }
  return found;
}

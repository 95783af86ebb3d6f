import type { FoldReader } from "../../definition/fold.ts";
import { bind, sql } from "../../definition/sql.ts";
import { tokenDays } from "../../tables/token-days.ts";
import type { MarksOf } from "../wallet/held-tokens.ts";
import type { Marks } from "../wallet/newest-mark.ts";
import { knownOnce } from "./known-once.ts";
import { tabRows } from "./tab-rows.ts";

/** The marks of any of these tokens. */
export async function readMarks(read: FoldReader, tokens: Iterable<string>): Promise<MarksOf> {
  const known = await knownOnce(read, "marks", tokens, (ids) => find(read, ids));
  return (token) => known.get(token);
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

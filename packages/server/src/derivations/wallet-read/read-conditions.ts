import type { FoldReader } from "../../definition/fold.ts";
import { bind, sql } from "../../definition/sql.ts";
import { conditionOf } from "../condition-of.ts";
import { knownOnce } from "./known-once.ts";
import { tabRows } from "./tab-rows.ts";

/** The condition (0x-hex) of tokens (decimal text); without those whose market is not known. */
export function readConditions(
  read: FoldReader,
  tokens: Iterable<string>,
): Promise<ReadonlyMap<string, string | undefined>> {
  const each = new Map<string, string>();
  return knownOnce(read, "conditions", tokens, async (ids) => {
    const bytes = await read.bytes(
      sql`SELECT toString(token), ${conditionOf(sql`token`)} AS condition FROM (SELECT toUInt256(arrayJoin(splitByChar(',', ${bind("String", ids.join(","))}))) AS token) WHERE condition != ''`,
      "TSV",
    );
    const found = new Map<string, string>();
    for (const [token = "", condition = ""] of tabRows(bytes)) {
      // Of one condition's tokens both have the same text: it is kept once.
      if (!each.has(condition)) each.set(condition, condition);
      found.set(token, each.get(condition) ?? condition);
    }
    return found;
  });
}

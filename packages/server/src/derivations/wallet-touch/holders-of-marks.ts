import type { FoldReader, Touched } from "../../definition/fold.ts";
import { bind, nothing, sql } from "../../definition/sql.ts";
import { tokenDays } from "../../tables/token-days.ts";
import { holdersOfTokens } from "./holders-of-tokens.ts";

/** Wallets that held a token of which the last price of one of these days was written since a moment (Unix ms). */
export async function holdersOfMarks(read: FoldReader, days: Touched, sinceMs: number | undefined): Promise<Touched> {
  const since =
    sinceMs === undefined ? nothing : sql`AND version >= ${bind("UInt64", BigInt(Math.max(0, sinceMs)) * 1000n)}`;
  const rows = await read.rows<{ token: string; day: string }>(
    sql`SELECT toString(token_id) AS token, toString(min(day)) AS day FROM ${tokenDays} WHERE day IN ${bind("Array(Date)", [...new Set(days.values())])} ${since} GROUP BY token_id`,
  );
  return holdersOfTokens(read, new Map(rows.map(({ token, day }) => [token, day])));
}

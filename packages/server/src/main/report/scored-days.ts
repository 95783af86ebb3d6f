import type { ReadRows } from "../../definition/day-derivation.ts";
import { sql } from "../../definition/sql.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { walletScores } from "../../tables/wallet-scores.ts";

/** UTC days: the first and last with scores, and the last with a fill of anybody. */
export type ScoredDays = { readonly first: string; readonly last: string; readonly traded: string };

/** From when to when wallets are scored; undefined where none is. */
export async function scoredDays(read: ReadRows): Promise<ScoredDays | undefined> {
  const [range] = await read<ScoredDays & { readonly n: string }>(
    sql`SELECT toString(count()) AS n, toString(min(day)) AS first, toString(max(day)) AS last, (SELECT toString(maxIf(day, buys + sells > 0)) FROM ${walletDays}) AS traded FROM ${walletScores} WHERE NOT is_gone`,
  );
  if (range === undefined || range.n === "0") return undefined;
  const { first, last, traded } = range;
  return { first, last, traded };
}

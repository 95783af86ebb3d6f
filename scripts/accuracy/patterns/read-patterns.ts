import { join } from "node:path";
import { bind, sql } from "../../../packages/server/src/definition/sql.ts";
import { naivePatterns } from "./naive-patterns.ts";
import type { WorldStore } from "../world-store.ts";

export const PATTERNS = ["wash", "sybil", "farmer", "both_sides"] as const;
export type Pattern = (typeof PATTERNS)[number];

/** A wallet that traded in the 30 days up to the day, as it is and as it is found. */
export type JudgedWallet = {
  readonly wallet: string;
  readonly style: string;
  readonly ring: number;
  readonly score: Readonly<Record<Pattern, number>>;
  readonly cluster: Readonly<Record<Pattern, string>>;
  readonly naive: Readonly<Record<Pattern, boolean>>;
};

type Found = { readonly wallet: string; readonly pattern: Pattern; readonly score: number; readonly cluster: string };

const hex = (column: "wallet" | "last_cluster") =>
  column === "wallet" ? sql`concat('0x', lower(hex(wallet)))` : sql`concat('0x', lower(hex(last_cluster)))`;

const of = <T>(value: (pattern: Pattern) => T): Record<Pattern, T> =>
  Object.fromEntries(PATTERNS.map((pattern) => [pattern, value(pattern)])) as Record<Pattern, T>;

/** Every wallet of the world that traded, with truth, what was found as of the day, and what naive rules say. */
export async function readPatterns({ store, truth }: WorldStore, day: string): Promise<JudgedWallet[]> {
  const at = bind("Date", day);
  const file = bind("String", join(truth, "wallets.parquet"));
  const known = await store.rows<{ wallet: string; style: string; ring: number }>(
    sql`SELECT wallet, style, toInt32(ifNull(ring, -1)) AS ring FROM file(${file}, 'Parquet', 'wallet String, style String, ring Nullable(Int64)') WHERE toFixedString(unhex(substring(wallet, 3)), 20) IN (SELECT wallet FROM wallet_trade_days FINAL WHERE day <= ${at} AND day > subtractDays(${at}, 30))`,
  );
  const found = await store.rows<Found>(
    sql`SELECT ${hex("wallet")} AS wallet, pattern, last_score AS score, ${hex("last_cluster")} AS cluster FROM (SELECT wallet, pattern, argMax(score, day) AS last_score, argMax(cluster, day) AS last_cluster FROM wallet_patterns FINAL WHERE NOT is_gone AND day <= ${at} AND day > subtractDays(${at}, 30) GROUP BY wallet, pattern)`,
  );
  const said = new Map(found.map((one) => [`${one.wallet} ${one.pattern}`, one]));
  const naive = await naivePatterns(store, at);
  return known.map(({ wallet, style, ring }) => ({
    wallet,
    style,
    ring: Number(ring),
    score: of((pattern) => said.get(`${wallet} ${pattern}`)?.score ?? 0),
    cluster: of((pattern) => said.get(`${wallet} ${pattern}`)?.cluster ?? ""),
    naive: of((pattern) => naive[pattern].has(wallet)),
  }));
}

import { isIn, textsSql } from "../../definition/filter.ts";
import { given, joined, sql, type Bound, type Sql, bind } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { walletScores } from "../../tables/wallet-scores.ts";
import { CONTEXT_COLUMNS, contextByDaySql } from "../wallet-window/wallet-window.ts";
import { categoryAsStored } from "./newest-pool-sql.ts";
import type { Drawn } from "./draw-bounds.ts";
import { WIDE_INTERVAL } from "./reasons.ts";

/** Drawn bounds as rows (day, wallet, low, high, is_wide); floats are passed as their shortest text, which is exact. */
export function boundsSql(drawn: readonly Drawn[]): Sql {
  const reported = drawn.map(({ day, wallet, low, high, isWide }) =>
    [day, wallet, low, high, isWide ? 1 : 0].join(" "),
  );
  const parts = sql`(SELECT splitByChar(' ', arrayJoin(${textsSql(reported)})) AS parts)`;
  return sql`(SELECT toDate(parts[1]) AS day, toFixedString(unhex(substring(parts[2], 3)), 20) AS wallet, toNullable(toFloat64(parts[3])) AS low, toNullable(toFloat64(parts[4])) AS high, parts[5] = '1' AS is_wide FROM ${parts})`;
}

/** The reasons of a score with the one its bounds add. */
export const reasonsWith = (reasons: Sql, isWide: Sql): Sql =>
  sql`if(${isWide}, arrayPushBack(${reasons}, ${bind("String", WIDE_INTERVAL)}), ${reasons})`;

/** Bounds of a row joined with none. */
const NO_BOUNDS = sql`CAST(NULL, 'Nullable(Float64)') AS low, CAST(NULL, 'Nullable(Float64)') AS high, false AS is_wide`;

const BY_WALLET = copyOf(walletScores, "wallet_scores_by_wallet");

type Requested = Readonly<Record<"wallets" | "category" | "from" | "to", Bound | undefined>>;

/** Rows of wallet_scores of wallets, with their day as the time `at`. */
export function scoresByDaySql({ wallets, category, from, to }: Requested): Sql {
  const own = joined([given(wallets, (list) => isIn("wallet", "wallet", list)), sql`NOT is_gone`], sql` AND `);
  const where = joined(
    [
      own,
      sql`category = ${categoryAsStored(sql`${BY_WALLET} FINAL WHERE ${own}`, category)}`,
      given(from, (first) => sql`day >= ${first}`),
      given(to, (last) => sql`day <= ${last}`),
    ],
    sql` AND `,
  );
  return sql`(SELECT *, toDateTime(day, 'UTC') AS at FROM ${BY_WALLET} FINAL WHERE ${where})`;
}

/** The same with the profit of other windows in addition, and the drawn bounds passed for some rows. */
export function scoreHistorySql(requested: Requested, reported: Sql | undefined): Sql {
  const bounds = reported ? sql`b.low AS low, b.high AS high, b.is_wide AS is_wide` : NO_BOUNDS;
  const drawn = reported ? sql` LEFT JOIN ${reported} AS b USING (wallet, day)` : sql``;
  return sql`(SELECT s.wallet AS wallet, s.day AS day, s.* EXCEPT (wallet, day), ${CONTEXT_COLUMNS}, ${bounds} FROM ${scoresByDaySql(requested)} AS s LEFT JOIN ${contextByDaySql(requested)} AS c USING (wallet, day)${drawn})`;
}

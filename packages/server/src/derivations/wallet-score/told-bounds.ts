import { textsSql } from "../../definition/filter.ts";
import { bind, sql, type Sql } from "../../definition/sql.ts";
import type { Drawn } from "./draw-bounds.ts";
import { WIDE_INTERVAL } from "./reasons.ts";

/** Drawn bounds as rows (day, wallet, low, high, is_wide); floats are told by their shortest text, which is exact. */
export function boundsSql(drawn: readonly Drawn[]): Sql {
  const told = drawn.map(({ day, wallet, low, high, isWide }) => [day, wallet, low, high, isWide ? 1 : 0].join(" "));
  const parts = sql`(SELECT splitByChar(' ', arrayJoin(${textsSql(told)})) AS parts)`;
  return sql`(SELECT toDate(parts[1]) AS day, toFixedString(unhex(substring(parts[2], 3)), 20) AS wallet, toNullable(toFloat64(parts[3])) AS low, toNullable(toFloat64(parts[4])) AS high, parts[5] = '1' AS is_wide FROM ${parts})`;
}

/** The reasons of a score with what its bounds add. */
export const reasonsWith = (reasons: Sql, isWide: Sql): Sql =>
  sql`if(${isWide}, arrayPushBack(${reasons}, ${bind("String", WIDE_INTERVAL)}), ${reasons})`;

/** Bounds of a row that is joined with none. */
export const NO_BOUNDS = sql`CAST(NULL, 'Nullable(Float64)') AS low, CAST(NULL, 'Nullable(Float64)') AS high, false AS is_wide`;

import { sql, type Sql } from "../../definition/sql.ts";

/** A quotient of integers as a decimal of twelve places, without floats in between; null if the divisor is 0. */
export const shareOf = (part: Sql, whole: Sql): Sql =>
  sql`if(${whole} = 0, NULL, toDecimal128(${part}, 12) / toInt128(greatest(${whole}, 1)))`;

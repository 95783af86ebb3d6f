import { sql, type Sql } from "./sql.ts";

/** The best level of a side: its price and size, Decimal64(6). */
type Best = { readonly price: Sql; readonly size: Sql };

/** Middle of the best bid and ask, each weighed by the size of the other. No divisor is ever 0, also where it is not shown. */
export const microPrice = (bid: Best, ask: Best): Sql =>
  sql`(CAST(${bid.price}, 'Decimal(38, 6)') * ${ask.size} + CAST(${ask.price}, 'Decimal(38, 6)') * ${bid.size}) / greatest(${bid.size} + ${ask.size}, toDecimal64('0.000001', 6))`;

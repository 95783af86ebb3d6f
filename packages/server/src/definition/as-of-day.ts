import { sql, type Bound, type Sql } from "./sql.ts";

/** The UTC day a question is asked as of: the one sent, else that of `now` (microseconds since 1970). */
export const asOfDay = (sent: Bound | undefined, now: Bound): Sql =>
  sent === undefined ? sql`toDate(fromUnixTimestamp64Micro(${now}, 'UTC'))` : sql`toDate(${sent})`;

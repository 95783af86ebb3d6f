import { bind, sql, type Bound, type Sql } from "./sql.ts";

/** The UTC day a question is asked as of: the one sent, else that of `now` (microseconds since 1970). */
export const asOfDay = (sent: Bound | undefined, now: Bound): Sql =>
  sent === undefined ? sql`toDate(${bind("Date", dayOf(now))})` : sql`toDate(${sent})`;

const dayOf = ({ value }: Bound): string => new Date(Number(value) / 1000).toISOString().slice(0, 10);

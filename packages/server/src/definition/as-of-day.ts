import { dayOf as dayOfSecond } from "./day-of.ts";
import { bind, sql, type Bound, type Sql } from "./sql.ts";

/** The UTC day a request is answered as of: the one sent, else that of `now` (microseconds since 1970). */
export const asOfDay = (sent: Bound | undefined, now: Bound): Sql =>
  sent === undefined ? sql`toDate(${bind("Date", dayOf(now))})` : sql`toDate(${sent})`;

const dayOf = ({ value }: Bound): string => new Date(Number(value) / 1000).toISOString().slice(0, 10);

const DAY = 86_400;
const DAY_MICROS = DAY * 1e6;

/** The same as `asOfDay`, as days since 1970. */
export const dayNumber = (sent: Bound | undefined, now: Bound): number =>
  sent === undefined ? Math.floor(Number(now.value) / DAY_MICROS) : Date.parse(String(sent.value)) / 1000 / DAY;

/** A day number (days since 1970) as an expression of type Date. */
export const lastDaySql = (day: number): Sql => sql`toDate(${bind("Date", dayOfSecond(day * DAY))})`;

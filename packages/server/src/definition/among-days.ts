import { sql, type Bound, type Sql } from "./sql.ts";

/** Whether a day (an expression of type Date) is among the given days (`Array(Date)`). */
export const amongDays = (day: Sql, days: Bound): Sql => sql`${day} IN (SELECT arrayJoin(${days}))`;

import { bind, sql, type Sql } from "../../definition/sql.ts";

/** A moment (Unix seconds, never before 1970) as the engine's. */
export const momentSql = (seconds: number): Sql => sql`toDateTime(${bind("UInt32", Math.max(0, seconds))}, 'UTC')`;

import { sql } from "./sql.ts";

/**
 * The store's active parts, for a FROM; ends in a WHERE, so further conditions follow with AND. On a cluster it reads
 * one replica of each shard, so that rows are counted once.
 */
export const ACTIVE_PARTS = sql`system.parts WHERE active AND database = currentDatabase()`;

/** As ACTIVE_PARTS, but from every replica: everything that occupies a disk. Rows are counted once per replica. */
export const PARTS_OF_ALL_REPLICAS = sql`system.parts WHERE active AND currentDatabase() = database`;

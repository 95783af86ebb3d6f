import { sql } from "./sql.ts";

/**
 * The store's parts, for a FROM; ends in its WHERE, so that conditions follow with AND. On a cluster: of one replica of
 * each shard, so that rows are counted once.
 */
export const ACTIVE_PARTS = sql`system.parts WHERE active AND database = currentDatabase()`;

/** As ACTIVE_PARTS, of every replica: what is still on any disk. Rows are counted as often as they are stored. */
export const PARTS_OF_ALL_REPLICAS = sql`system.parts WHERE active AND currentDatabase() = database`;

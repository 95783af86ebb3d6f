import type { Bound, Sql } from "./sql.ts";
import type { TableDefinition } from "./table.ts";

/**
 * What a walk sees of rows that were told early, fixed when it begins: so each of its pages tells early and stored rows
 * apart in the same way, whatever is stored meanwhile. Whole numbers as text.
 */
export type EarlyView = {
  /** Early rows stored after this are shown (microseconds since 1970). */
  readonly shownAfter: string;
  /** The first moment of such rows that are not stored (Unix seconds). */
  readonly since: string;
  /** Around and after `since`, rows count as stored when they were by then (microseconds since 1970). */
  readonly storedBy: string;
};

/** A table of rows that are told before the dataset's own tables have them. */
export type EarlyRows = {
  readonly table: TableDefinition;
  /** For so long after it came an early row is shown, where no stored row takes its place. */
  readonly shownSeconds: number;
  /** One row, `since` and `stored_by` as in EarlyView; `since` is null where there are none to show. */
  readonly view: (shownAfter: Bound) => Sql;
};

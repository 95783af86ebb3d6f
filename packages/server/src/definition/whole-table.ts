import { fromDefinition, type Named, type Sql } from "./sql.ts";

/** Marker before a table name, which the store replaces by the database name on a cluster. */
export const WHOLE = "/* whole */ ";

/** A table read inside a statement that changes another one: on a cluster all of it, not one shard's rows. */
export const wholeTable = ({ name }: Named): Sql => fromDefinition(`${WHOLE}${name}`);

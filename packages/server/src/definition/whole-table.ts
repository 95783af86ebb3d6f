import { fromDefinition, type Named, type Sql } from "./sql.ts";

/** Stands before the name of a table; the store says there on a cluster in which database it is. */
export const WHOLE = "/* whole */ ";

/** A table that is read inside a statement that changes another one: on a cluster all of it, not one shard's rows. */
export const wholeTable = ({ name }: Named): Sql => fromDefinition(`${WHOLE}${name}`);

import { tables } from "../../catalogue.ts";
import { toMovedTables } from "../../store/copy/moved-table.ts";

/** Every table that holds rows, as it is copied and backed up. */
export const MOVED = toMovedTables(tables);

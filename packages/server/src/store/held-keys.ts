import { isPacked } from "../definition/packed-rows.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import type { TableWriter } from "./insert.ts";
import type { Inserted, Store } from "./store.ts";

type Given = Parameters<Store["insert"]>;

/** Of one table; with more they are learned anew. */
const MOST_KEYS = 50_000;

/**
 * Keys of rows that were stored `if_absent`: a socket tells its tokens with every frame, and what the store has already
 * need not be compared by five statements. Only for a store that nobody else takes rows from.
 */
export function createHeldKeys(isOwn: boolean) {
  const held = new Map<string, Set<string>>();
  const keysOf = ({ name }: TableDefinition): Set<string> => {
    const known = held.get(name);
    if (known !== undefined && known.size < MOST_KEYS) return known;
    const keys = new Set<string>();
    held.set(name, keys);
    return keys;
  };
  return {
    /** Has those of the rows inserted that are not known to be stored. */
    insert: async ([table, rows, mode]: Given, writer: Pick<TableWriter, "insert">): Promise<Inserted> => {
      if (!isOwn || mode !== "if_absent" || isPacked(rows)) return writer.insert(rows, mode);
      const keyOf = (row: InsertRow): string => JSON.stringify(table.key.map((column) => row[column]));
      // Taken before: what is forgotten meanwhile is not learned.
      const keys = keysOf(table);
      const fresh = rows.filter((row) => !keys.has(keyOf(row)));
      const inserted = await writer.insert(fresh, mode);
      for (const row of fresh) keys.add(keyOf(row));
      return { ...inserted, known: inserted.known + rows.length - fresh.length };
    },
    /** What takes rows away: those that are found stored meanwhile may be among them. */
    around:
      (alter: Store["alter"]): Store["alter"] =>
      async (...given) => {
        held.clear();
        await alter(...given).finally(() => held.clear());
      },
  };
}

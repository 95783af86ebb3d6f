import { hash } from "node:crypto";
import { isPacked } from "../definition/packed-rows.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import { writtenTable } from "./change-counts.ts";
import type { TableWriter } from "./insert.ts";
import { modeOf, rowKey } from "./keep-fresh.ts";
import type { Inserted, Store } from "./store.ts";

type Given = Parameters<Store["insert"]>;
type Change = Store["alter"];
/** A digest of each row keyed by its row key, or a mark that its content is unknown. */
type Held = Map<string, string>;

/** Keys of one table, some 300 bytes each; beyond this they are dropped and learned again. */
const MAX_KEYS = 20_000;
/** Larger batches belong to a backfill, which does not bring the same rows again. */
const MAX_ROWS = 5_000;
const UNKNOWN = "";
/** Marks a row that is being stored; the number of its batch follows. */
const PENDING = "pending ";

const digestOf = (row: InsertRow): string => hash("sha256", JSON.stringify(row), "base64");

/** Rows stored while the work runs may be changed by it too, so they are not learned. */
async function forgetting<Result>(forget: () => void, work: () => Promise<Result>): Promise<Result> {
  forget();
  return await work().finally(forget);
}

export type HeldRows = ReturnType<typeof createHeldRows>;

/**
 * Remembers rows that are known to be stored as they are: polls and sockets bring most rows repeatedly, and comparing
 * them takes the engine five statements a batch. `isOwn`: no other process changes the store; `life` returns another
 * object after the engine was restarted.
 */
export function createHeldRows(isOwn: boolean, life: () => object) {
  const tables = new Map<string, Held>();
  let current = life();
  let batches = 0;
  const heldOf = ({ name }: TableDefinition): Held => {
    if (current !== life()) tables.clear();
    current = life();
    const known = tables.get(name);
    if (known !== undefined && known.size < MAX_KEYS) return known;
    const held: Held = new Map();
    tables.set(name, held);
    return held;
  };
  return {
    /** Inserts those of the rows that are not known to be stored. */
    insert: async ([table, rows, mode]: Given, writer: Pick<TableWriter, "insert">): Promise<Inserted> => {
      if (!isOwn || isPacked(rows) || rows.length > MAX_ROWS || modeOf(table, mode) === "absent")
        return forgetting(
          () => tables.delete(table.name),
          () => writer.insert(rows, mode),
        );
      const held = heldOf(table);
      const isKnown = (key: string, row: InsertRow): boolean => {
        const digest = held.get(key);
        if (digest === undefined || digest.startsWith(PENDING)) return false;
        return mode === "if_absent" || (digest !== UNKNOWN && digest === digestOf(row));
      };
      const keyed = rows.map((row) => [rowKey(table, row), row] as const);
      // The last row of a key counts, so an earlier one is not stored alone because the last one is known.
      const last = new Map(keyed);
      const fresh = keyed.filter(([key, row]) => !isKnown(key, last.get(key) ?? row));
      // Nothing is known of these rows until they are stored, and then only if no later batch is about to change them.
      const pending = `${PENDING}${(batches += 1)}`;
      if (mode === undefined) for (const [key] of fresh) held.set(key, pending);
      const inserted = await writer
        .insert(
          fresh.map(([, row]) => row),
          mode,
        )
        .catch((error: unknown) => {
          tables.delete(table.name);
          throw error;
        });
      const learned = new Map<string, string>();
      for (const [key, row] of fresh)
        learned.set(key, mode === "if_absent" || learned.has(key) ? UNKNOWN : digestOf(row));
      for (const [key, digest] of learned)
        if (mode === undefined ? held.get(key) === pending : !held.has(key)) held.set(key, digest);
      return { ...inserted, known: inserted.known + rows.length - fresh.length };
    },
    /** Forgets a table's rows before and after work that may change them in another way. */
    changing: <Result>({ name }: TableDefinition, work: () => Promise<Result>): Promise<Result> =>
      forgetting(() => tables.delete(name), work),
    /** The same for a statement, by the table that it names. */
    around:
      (change: Change): Change =>
      (statement, ...given) => {
        const name = writtenTable(statement);
        const forget = (): void => void (name === undefined ? tables.clear() : tables.delete(name));
        return forgetting(forget, () => change(statement, ...given));
      },
    clear: () => tables.clear(),
  };
}

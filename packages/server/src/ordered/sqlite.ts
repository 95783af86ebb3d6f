import { existsSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Entry, OrderedStore } from "./port.ts";

type Tree = Readonly<Record<"put" | "remove" | "get" | "getAll" | "down" | "up" | "firstKey", StatementSync>>;

const BUSY_MS = 5000;
const MAPPED_BYTES = 17_179_869_184;
const CHECKPOINT_PAGES = 8000;
/** Pages are read from the mapped file: a reader needs none of its own, a writer those of a transaction. */
const CACHE_KIB = { reader: 1024, writer: 16_384 };
/** Keys of one statement, and how many are worth one: it takes as long as ten of one key. */
const AT_ONCE = 16;
const WORTH = 10;

/** An ordered store in a SQLite file, which is made where there is none. One process alone may have it open so. */
export function openSqlite(file: string, trees: readonly string[]): OrderedStore {
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  return orClosed(database, () => {
    // With a log and synchronous=normal a power cut may take the last transactions, never a part of one.
    database.exec(
      `pragma page_size=4096; pragma journal_mode=wal; pragma synchronous=normal; pragma wal_autocheckpoint=${CHECKPOINT_PAGES}`,
    );
    const creations = trees.map(
      (tree) => `create table if not exists "${tree}" (k blob primary key, v blob) without rowid`,
    );
    database.exec(`begin immediate; ${creations.join(";")}; commit`);
    return storeOver(database, trees, "writer");
  });
}

/** The same file for any number of processes that only read; undefined where nobody has made it yet. */
export function readSqlite(file: string, trees: readonly string[]): OrderedStore | undefined {
  if (!existsSync(file)) return undefined;
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
  return orClosed(database, () => {
    const isMade = database.prepare("select 1 from sqlite_master limit 1").get() !== undefined;
    if (isMade) return storeOver(database, trees, "reader");
    database.close();
    return undefined;
  });
}

function orClosed<Result>(database: DatabaseSync, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    database.close();
    throw error;
  }
}

const statementsOf = (database: DatabaseSync, name: string): Tree => ({
  put: database.prepare(`insert or replace into "${name}" values (?, ?)`),
  remove: database.prepare(`delete from "${name}" where k = ?`),
  get: database.prepare(`select v from "${name}" where k = ?`),
  getAll: database.prepare(`select k, v from "${name}" where k in (${Array(AT_ONCE).fill("?").join(", ")})`),
  down: database.prepare(`select k, v from "${name}" where k <= ? and k > ? order by k desc limit ?`),
  up: database.prepare(`select k, v from "${name}" where k >= ? and k <= ? order by k limit ?`),
  firstKey: database.prepare(`select k from "${name}" where k >= ? order by k limit 1`),
});

function storeOver(database: DatabaseSync, trees: readonly string[], as: "reader" | "writer"): OrderedStore {
  database.exec(`pragma mmap_size=${MAPPED_BYTES}; pragma cache_size=-${CACHE_KIB[as]}`);
  const begin = as === "writer" ? "begin immediate" : "begin";
  const statements = new Map(trees.map((name) => [name, statementsOf(database, name)]));
  const treeOf = (name: string): Tree => {
    const tree = statements.get(name);
    if (tree === undefined) throw new TypeError(`no tree ${name}`);
    return tree;
  };
  return {
    transaction: (work) => {
      if (database.isTransaction) return work();
      database.exec(begin);
      try {
        const result = work();
        database.exec("commit");
        return result;
      } catch (error) {
        // A full disk may have ended the transaction already.
        if (database.isTransaction) database.exec("rollback");
        throw error;
      }
    },
    put: (tree, key, value) => void treeOf(tree).put.run(key, value),
    remove: (tree, key) => void treeOf(tree).remove.run(key),
    get: (tree, key) => {
      const row = treeOf(tree).get.get(key);
      return row === undefined ? undefined : bufferOf(row["v"]);
    },
    getAll: (tree, keys) => {
      const { get, getAll } = treeOf(tree);
      const found = new Map<string, Buffer>();
      const keep = (key: Buffer, value: unknown): void => void found.set(key.toString("latin1"), bufferOf(value));
      for (let from = 0; from < keys.length; from += AT_ONCE) {
        const asked = keys.slice(from, from + AT_ONCE);
        if (asked.length < WORTH) {
          for (const key of asked) {
            const row = get.get(key);
            if (row !== undefined) keep(key, row["v"]);
          }
        } else {
          const last = asked.at(-1) as Buffer;
          while (asked.length < AT_ONCE) asked.push(last);
          for (const { k, v } of getAll.all(...asked)) keep(bufferOf(k), v);
        }
      }
      return found;
    },
    down: (tree, from, above, limit) => treeOf(tree).down.all(from, above, limit).map(entryOf),
    up: (tree, from, to, limit) => treeOf(tree).up.all(from, to, limit).map(entryOf),
    firstKey: (tree, from) => {
      const row = treeOf(tree).firstKey.get(from);
      return row === undefined ? undefined : bufferOf(row["k"]);
    },
    close: () => database.close(),
  };
}

const entryOf = (row: Record<string, unknown>): Entry => ({ key: bufferOf(row["k"]), value: bufferOf(row["v"]) });

// SQLite gives an empty value back as null.
const bufferOf = (value: unknown): Buffer =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : Buffer.alloc(0);

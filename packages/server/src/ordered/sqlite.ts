import { existsSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { DamagedError, type Entry, type OrderedStore } from "./ordered-store.ts";

type Statements = Readonly<Record<"put" | "remove" | "get" | "getAll" | "down" | "up" | "firstKey", StatementSync>>;
/** `seed`: the checksum of the tree's name, so that an entry of another tree is detected. */
type Tree = Statements & { readonly name: string; readonly seed: number };

const BUSY_MS = 5000;
const MAPPED_BYTES = 17_179_869_184;
const CHECKPOINT_PAGES = 8000;
/** Pages are read from the mapped file: a reader needs no page cache, a writer one for the pages of a transaction. */
const CACHE_KIB = { reader: 1024, writer: 16_384 };
/** Keys per statement, and the minimum number for which it pays off: it takes as long as ten single-key statements. */
const AT_ONCE = 16;
const WORTH = 10;
/** Stored as the file's user_version: values end with a checksum. */
const FORMAT = 1;
const SUM_BYTES = 4;

/** Opens an ordered store in a SQLite file, creating it if absent. Only one process may have it open this way. */
export function openSqlite(file: string, trees: readonly string[]): OrderedStore {
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  return orClosed(database, () => {
    // In WAL mode with synchronous=normal a power failure may lose the last transactions, but never part of one.
    database.exec(
      `pragma page_size=4096; pragma journal_mode=wal; pragma synchronous=normal; pragma wal_autocheckpoint=${CHECKPOINT_PAGES}`,
    );
    const creations = trees.map(
      (tree) => `create table if not exists "${tree}" (k blob primary key, v blob) without rowid`,
    );
    const isNew = database.prepare("select 1 from sqlite_master limit 1").get() === undefined;
    const format = isNew ? `pragma user_version=${FORMAT};` : "";
    database.exec(`begin immediate; ${format} ${creations.join(";")}; commit`);
    checkFormat(database, file);
    return storeOver(database, trees, "writer");
  });
}

/** Opens the same file for any number of read-only processes; undefined if it has not been created yet. */
export function readSqlite(file: string, trees: readonly string[]): OrderedStore | undefined {
  if (!existsSync(file)) return undefined;
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
  return orClosed(database, () => {
    const isMade = database.prepare("select 1 from sqlite_master limit 1").get() !== undefined;
    if (isMade) {
      checkFormat(database, file);
      return storeOver(database, trees, "reader");
    }
    database.close();
    return undefined;
  });
}

function checkFormat(database: DatabaseSync, file: string): void {
  const format = database.prepare("pragma user_version").get()?.["user_version"];
  if (format !== FORMAT) throw new DamagedError(`${file} is of format ${String(format)}, not ${FORMAT}`);
}

function orClosed<Result>(database: DatabaseSync, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    database.close();
    throw error;
  }
}

const treeIn = (database: DatabaseSync, name: string): Tree => ({
  name,
  seed: crc32(name),
  put: database.prepare(`insert or replace into "${name}" values (?, ?)`),
  remove: database.prepare(`delete from "${name}" where k = ?`),
  get: database.prepare(`select v from "${name}" where k = ?`),
  getAll: database.prepare(`select k, v from "${name}" where k in (${Array(AT_ONCE).fill("?").join(", ")})`),
  down: database.prepare(`select k, v from "${name}" where k <= ? and k > ? order by k desc limit ?`),
  up: database.prepare(`select k, v from "${name}" where k >= ? and k <= ? order by k limit ?`),
  firstKey: database.prepare(`select k from "${name}" where k >= ? order by k limit 1`),
});

function storeOver(database: DatabaseSync, trees: readonly string[], as: "reader" | "writer"): OrderedStore {
  database.exec(`pragma mmap_size=${MAPPED_BYTES}; pragma cell_size_check=on; pragma cache_size=-${CACHE_KIB[as]}`);
  const begin = as === "writer" ? "begin immediate" : "begin";
  const statements = new Map(trees.map((name) => [name, treeIn(database, name)]));
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
    put: (name, key, value) => {
      const tree = treeOf(name);
      tree.put.run(key, summed(tree, key, value));
    },
    remove: (tree, key) => void treeOf(tree).remove.run(key),
    get: (name, key) => {
      const tree = treeOf(name);
      const row = tree.get.get(key);
      return row === undefined ? undefined : valueOf(tree, key, row["v"]);
    },
    getAll: (name, keys) => getAll(treeOf(name), keys),
    down: (name, from, above, limit) => {
      const tree = treeOf(name);
      return tree.down.all(from, above, limit).map((row) => entryOf(tree, row));
    },
    up: (name, from, to, limit) => {
      const tree = treeOf(name);
      return tree.up.all(from, to, limit).map((row) => entryOf(tree, row));
    },
    firstKey: (tree, from) => {
      const row = treeOf(tree).firstKey.get(from);
      return row === undefined ? undefined : bufferOf(row["k"]);
    },
    beginSnapshot: () => {
      database.exec("begin");
      // SQLite takes the snapshot at the first read.
      database.prepare("select 1 from sqlite_master limit 1").get();
    },
    close: () => database.close(),
  };
}

function getAll(tree: Tree, keys: readonly Buffer[]): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  const keep = (key: Buffer, value: unknown): void => void found.set(key.toString("latin1"), valueOf(tree, key, value));
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    const requested = keys.slice(from, from + AT_ONCE);
    if (requested.length < WORTH) {
      for (const key of requested) {
        const row = tree.get.get(key);
        if (row !== undefined) keep(key, row["v"]);
      }
    } else {
      const last = requested.at(-1) as Buffer;
      while (requested.length < AT_ONCE) requested.push(last);
      for (const { k, v } of tree.getAll.all(...requested)) keep(bufferOf(k), v);
    }
  }
  return found;
}

function entryOf(tree: Tree, { k, v }: Record<string, unknown>): Entry {
  const key = bufferOf(k);
  return { key, value: valueOf(tree, key, v) };
}

const sumOf = ({ seed }: Tree, key: Buffer, value: Buffer): number => crc32(value, crc32(key, seed));

/** SQLite has no page checksums, so each value is followed by a checksum of its tree, its key and itself. */
function summed(tree: Tree, key: Buffer, value: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(value.length + SUM_BYTES);
  value.copy(bytes);
  bytes.writeUInt32LE(sumOf(tree, key, value), value.length);
  return bytes;
}

function valueOf(tree: Tree, key: Buffer, stored: unknown): Buffer {
  const bytes = bufferOf(stored);
  const length = bytes.length - SUM_BYTES;
  const value = bytes.subarray(0, Math.max(0, length));
  if (length < 0 || bytes.readUInt32LE(length) !== sumOf(tree, key, value))
    throw new DamagedError(`an entry of the tree ${tree.name} does not match its checksum`);
  return value;
}

const bufferOf = (value: unknown): Buffer =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : Buffer.alloc(0);

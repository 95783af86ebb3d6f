import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { tryLockFolder, type FolderLock } from "../records/folder-lock.ts";
import type { ServedTable } from "../definition/served.ts";
import { bind, joined, name, sql } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";

/** Only one process writes the indexes of a data folder; undefined if another one does. */
export function lockServing(dataDir: string, log: Pick<Logger, "warn">): FolderLock | undefined {
  const folder = join(dataDir, "serving");
  mkdirSync(folder, { recursive: true });
  const lock = tryLockFolder(join(folder, "lock"));
  if (lock === undefined)
    log.warn(
      { folder },
      "another process has locked the serving indexes of this folder; here the column engine answers. Give each process its own ALMANAC_DATA_DIR",
    );
  return lock;
}

/** Headroom for growth until rows are counted again: a factor, and a number of rows. */
const ROOM = 1.2;
const ROOM_ROWS = 50_000;
const COUNTED_MS = 60_000;

type Part = { readonly served: ServedTable; readonly part: number };

/**
 * Divides the bytes of all serving indexes by table: each gets what its table needs up to its weighted part of the
 * remainder, and those that need more share the rest by weight. Recounted at most once a minute.
 */
export function createShares(
  store: Pick<Store, "rows">,
  bytes: number,
  all: readonly Part[],
): () => Promise<ReadonlyMap<string, number>> {
  let counted: { readonly at: number; readonly shares: Promise<ReadonlyMap<string, number>> } | undefined;
  return () => {
    if (counted === undefined || performance.now() - counted.at > COUNTED_MS) {
      const shares = countRows(store, all).then((rows) => sharesOf(bytes, all, rows));
      counted = { at: performance.now(), shares };
      shares.catch(() => (counted = undefined));
    }
    return counted.shares;
  };
}

async function countRows(store: Pick<Store, "rows">, all: readonly Part[]): Promise<ReadonlyMap<string, number>> {
  const each = all.map(
    ({ served }) =>
      sql`SELECT ${bind("String", served.name)} AS named, toString(count()) AS n FROM ${name(served.name)}`,
  );
  const rows = await store.rows<{ named: string; n: string }>(joined(each, sql` UNION ALL `));
  return new Map(rows.map(({ named, n }) => [named, Number(n)]));
}

function sharesOf(bytes: number, all: readonly Part[], rows: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  const needOf = ({ served }: Part): number => ((rows.get(served.name) ?? 0) * ROOM + ROOM_ROWS) * served.rowBytes;
  let [left, open] = [bytes, [...all].sort((a, b) => needOf(a) / a.part - needOf(b) / b.part)];
  for (let one = open[0]; one !== undefined; one = open[0]) {
    const parts = open.reduce((sum, { part }) => sum + part, 0);
    const share = Math.min(needOf(one), Math.floor((left * one.part) / parts));
    shares.set(one.served.name, share);
    left -= share;
    open = open.slice(1);
  }
  return shares;
}

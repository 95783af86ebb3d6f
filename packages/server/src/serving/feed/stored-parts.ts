import { ACTIVE_PARTS } from "../../definition/table-sql.ts";
import { bind, joined, sql } from "../../definition/sql.ts";
import type { Store } from "../../store/store.ts";
import type { Feed } from "./build-index.ts";
import { storedMicros } from "./select-served.ts";

/** A part of a table in the engine: the range of row blocks that it covers, and the last mutation applied to it. */
type StoredPart = {
  readonly name: string;
  readonly partition: string;
  readonly from: number;
  readonly to: number;
  readonly mutation: number;
  readonly rows: number;
  readonly hash: string;
};

/** The state of a table: another store has another id, and parts with the same hash are identical to the byte. */
export type StoredParts = { readonly id: string; readonly parts: readonly string[]; readonly isChanging: boolean };

type PartsStore = Pick<Store, "rows">;

type Waiting = Map<string, PromiseWithResolvers<StoredParts>>;

/** The tables to read with the next statement, by store; absent for a store without pending requests. */
const requested = new WeakMap<PartsStore, Waiting>();

/**
 * Takes milliseconds, however many rows there are. Tables requested in the same iteration of the event loop, or while a
 * statement runs, are read together, because all indexes ask when a service starts or stops.
 */
export function readParts(store: PartsStore, table: string): Promise<StoredParts> {
  if (!requested.has(store)) setImmediate(() => void readRequested(store));
  const waiting: Waiting = requested.get(store) ?? new Map();
  const answer = waiting.get(table) ?? Promise.withResolvers<StoredParts>();
  waiting.set(table, answer);
  requested.set(store, waiting);
  return answer.promise;
}

async function readRequested(store: PartsStore): Promise<void> {
  for (let waiting = requested.get(store); waiting !== undefined && waiting.size > 0; waiting = requested.get(store)) {
    requested.set(store, new Map());
    await readAll(store, waiting);
  }
  requested.delete(store);
}

async function readAll(store: PartsStore, waiting: Waiting): Promise<void> {
  const names = joined(
    [...waiting.keys()].map((table) => sql`${bind("String", table)}`),
    sql`, `,
  );
  try {
    // Ids and mutations are read before the parts, so that a mutation that ends in between counts as still running.
    const [row] = await store.rows<{ ids: [string, string][]; changing: string[]; parts: [string, string][] }>(
      sql`SELECT (SELECT groupArray((name, toString(uuid))) FROM system.tables WHERE database = currentDatabase() AND name IN (${names})) AS ids, (SELECT groupArray(table) FROM system.mutations WHERE database = currentDatabase() AND table IN (${names}) AND is_done = 0 AND latest_fail_reason = '') AS changing, arraySort(groupArray((table, arrayStringConcat([name, partition_id, toString(rows), hash_of_all_files], ' ')))) AS parts FROM ${ACTIVE_PARTS} AND table IN (${names})`,
    );
    const ids = new Map(row?.ids);
    for (const [table, { resolve, reject }] of waiting) {
      const id = ids.get(table);
      const parts = row?.parts.flatMap(([of, part]) => (of === table ? [part] : [])) ?? [];
      if (id === undefined) reject(new Error(`the engine reports no parts of ${table}`));
      else resolve({ id, parts, isChanging: row?.changing.includes(table) === true });
    }
  } catch (error) {
    for (const { reject } of waiting.values()) reject(error);
  }
}

/**
 * Returns the number of rows added to a table if they were all stored after `through` and all others are still there;
 * undefined if not, or if that cannot be determined. Merges change the parts but no rows: a merged part has as many
 * rows as its source parts, plus those stored since. It cannot be determined if merges dropped rows that were replaced
 * by newer versions or deleted before.
 */
export async function addedRows(
  feed: Feed,
  before: Pick<StoredParts, "id" | "parts"> & { readonly through: number },
  now: StoredParts,
): Promise<number | undefined> {
  if (before.id !== now.id || now.isChanging) return undefined;
  const added = addedByPart(before.parts.map(parsePart), now.parts.map(parsePart));
  if (added === undefined || (added.size > 0 && !(await areSince(feed, added, before.through)))) return undefined;
  return [...added.values()].reduce((sum, rows) => sum + rows, 0);
}

/** Number of rows that each part has beyond its source parts, by part name; undefined if other parts are gone. */
function addedByPart(before: readonly StoredPart[], now: readonly StoredPart[]): Map<string, number> | undefined {
  const newest = before.reduce((most, { to, mutation }) => Math.max(most, to, mutation), 0);
  const added = new Map<string, number>();
  let found = 0;
  for (const part of now) {
    const within = before.filter(
      ({ partition, from, to }) => partition === part.partition && from >= part.from && to <= part.to,
    );
    found += within.length;
    const more = part.rows - within.reduce((sum, { rows }) => sum + rows, 0);
    if (within.length === 0 && part.from <= newest) return undefined;
    if (part.mutation !== within.reduce((most, { mutation }) => Math.max(most, mutation), 0)) return undefined;
    if (within.some(({ name, hash }) => name === part.name && hash !== part.hash)) return undefined;
    if (more < 0 || (more > 0 && part.to <= newest)) return undefined;
    if (more > 0) added.set(part.name, more);
  }
  return found === before.length ? added : undefined;
}

/** Whether exactly these numbers of rows in these parts were stored after a time. */
async function areSince(
  { store, served, table }: Feed,
  added: ReadonlyMap<string, number>,
  through: number,
): Promise<boolean> {
  const names = joined(
    [...added.keys()].map((part) => sql`${bind("String", part)}`),
    sql`, `,
  );
  const rows = await store.rows<{ part: string; n: string }>(
    sql`SELECT toString(_part) AS part, toString(count()) AS n FROM ${table} WHERE _part IN (${names}) AND ${storedMicros(served, table)} > ${bind("Int64", String(through))} GROUP BY part`,
  );
  const counted = new Map(rows.map(({ part, n }) => [part, Number(n)]));
  return [...added].every(([part, n]) => counted.get(part) === n);
}

const NAME = /_(\d+)_(\d+)_\d+(?:_(\d+))?$/;

function parsePart(text: string): StoredPart {
  const [name = "", partition = "", rows, hash = ""] = text.split(" ");
  const [, from, to, mutation = 0] = NAME.exec(name) ?? [];
  return {
    name,
    partition,
    from: Number(from),
    to: Number(to),
    mutation: Number(mutation),
    rows: Number(rows),
    hash,
  };
}

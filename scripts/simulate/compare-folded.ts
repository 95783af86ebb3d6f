import type { Day } from "../../packages/server/src/definition/fold.ts";
import { bind, fromDefinition, joined, name, sql } from "../../packages/server/src/definition/sql.ts";
import type { TableDefinition } from "../../packages/server/src/definition/table.ts";
import { walletFold } from "../../packages/server/src/derivations/wallet-fold.ts";
import { findClosed } from "../../packages/server/src/ingest/control/derivation-record.ts";
import { openCheckpoints } from "../../packages/server/src/ingest/fold/checkpoints.ts";
import { foldAll } from "../../packages/server/src/ingest/fold/fold-all.ts";
import { createFoldDays } from "../../packages/server/src/ingest/fold/fold-days.ts";
import { foldReader } from "../../packages/server/src/ingest/fold/fold-store.ts";
import { textOf } from "../../packages/server/src/ingest/fold/key-sql.ts";
import type { Records } from "../../packages/server/src/records/records.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";

type Rows = ReadonlyMap<string, string>;

/** What changes with each mark of a day that is not over: answers work it out when they are asked. */
const MARKED = "open_value_usd";
const UNCOMPARED: ReadonlySet<string> = new Set(["version", "is_gone", MARKED]);
const MOST_SHOWN = 3;

/**
 * Wallets' days as the lives of a run left them against the same worked out of the ledger from nothing: a sentence for
 * each that is another. What is worked out is stored.
 */
export async function compareFolded(store: OpenStore, db: Records["db"], venueNow: () => number): Promise<string[]> {
  const closed = (await findClosed(db, walletFold.name)) ?? createFoldDays(venueNow).over();
  const read = (): Promise<Rows[]> => Promise.all(walletFold.into.map((table) => readRows(store, table, closed)));
  const left = await read();
  const engine = { fold: walletFold, store, read: foldReader(store), checkpoints: openCheckpoints(walletFold) };
  await foldAll(engine, { sinceMs: 0, closed, signal: new AbortController().signal });
  const right = await read();
  return walletFold.into.flatMap((table, index) =>
    differencesOf(left[index] ?? new Map(), right[index] ?? new Map()).map((text) => `${table.name}: ${text}`),
  );
}

async function readRows(store: OpenStore, table: TableDefinition, closed: Day): Promise<Rows> {
  const columns = Object.keys(table.columns).filter((column) => !UNCOMPARED.has(column) && !table.key.includes(column));
  const textsOf = (of: readonly string[]) =>
    joined(
      of.map((column) => sql`ifNull(${textOf(table, column)}, '')`),
      sql`, ' ', `,
    );
  const mark = Object.hasOwn(table.columns, MARKED)
    ? sql`if(day <= toDate(${bind("String", closed)}), toString(${name(MARKED)}), '')`
    : sql`''`;
  const rows = await store.rows<{ at: string; held: string }>(
    sql`SELECT concat(${textsOf(table.key)}) AS at, concat(${textsOf(columns)}, ' ', ${mark}) AS held FROM ${fromDefinition(table.name)} FINAL WHERE NOT is_gone`,
  );
  return new Map(rows.map(({ at, held }) => [at, held]));
}

function differencesOf(left: Rows, right: Rows): string[] {
  const keys = [...new Set([...left.keys(), ...right.keys()])].filter((key) => left.get(key) !== right.get(key));
  const shown = keys.slice(0, MOST_SHOWN).map((key) => {
    return `${key} is ${left.get(key) ?? "absent"} and ${right.get(key) ?? "absent"} by the ledger`;
  });
  return keys.length > MOST_SHOWN ? [...shown, `and ${keys.length - MOST_SHOWN} more`] : shown;
}

import type { Day } from "../../packages/server/src/definition/fold.ts";
import { bind, name, sql } from "../../packages/server/src/definition/sql.ts";
import type { TableDefinition } from "../../packages/server/src/definition/table.ts";
import { walletFold } from "../../packages/server/src/derivations/wallet-fold.ts";
import { findClosed } from "../../packages/server/src/ingest/control/derivation-record.ts";
import { openCheckpoints } from "../../packages/server/src/ingest/fold/checkpoints.ts";
import { foldAll } from "../../packages/server/src/ingest/fold/fold-all.ts";
import { createFoldDays } from "../../packages/server/src/ingest/fold/fold-days.ts";
import { foldReader } from "../../packages/server/src/ingest/fold/fold-reads.ts";
import type { Records } from "../../packages/server/src/records/records.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import { differencesOf, readRowTexts, type RowTexts } from "./row-texts.ts";

/** Changes with each mark of a day that is not over: queries compute it on request. */
const MARKED = "open_value_usd";
const UNCOMPARED: ReadonlySet<string> = new Set(["version", "is_gone", MARKED]);

/**
 * Compares wallets' days left by a run's service processes with a rebuild from the ledger: a sentence for each that
 * differs. The rebuilt rows stay stored.
 */
export async function compareFolded(store: OpenStore, db: Records["db"], venueNow: () => number): Promise<string[]> {
  const over = createFoldDays(venueNow).over();
  const closed = (await findClosed(db, walletFold.name)) ?? over;
  const late = closed < over ? [`${over} is over, and wallets' days are worked out for everyone up to ${closed}`] : [];
  const read = (): Promise<RowTexts[]> => Promise.all(walletFold.into.map((table) => readRows(store, table, closed)));
  const left = await read();
  const engine = { fold: walletFold, store, read: foldReader(store), checkpoints: openCheckpoints(walletFold) };
  await foldAll(engine, { sinceMs: 0, closed, signal: new AbortController().signal });
  const right = await read();
  const differing = walletFold.into.flatMap((table, index) =>
    differencesOf(left[index] ?? new Map(), right[index] ?? new Map(), "the ledger").map(
      (text) => `${table.name}: ${text}`,
    ),
  );
  return [...late, ...differing];
}

const readRows = (store: OpenStore, table: TableDefinition, closed: Day): Promise<RowTexts> =>
  readRowTexts(store, table, UNCOMPARED, {
    where: sql`NOT is_gone`,
    ...(Object.hasOwn(table.columns, MARKED)
      ? { more: sql`if(day <= toDate(${bind("String", closed)}), toString(${name(MARKED)}), '')` }
      : {}),
  });

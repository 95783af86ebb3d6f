import { openCheckpoints } from "../../src/ingest/fold/checkpoints.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { walletFold } from "../../src/derivations/wallet-fold.ts";
import { foldAll } from "../../src/ingest/fold/fold-all.ts";
import { foldReader } from "../../src/ingest/fold/fold-reads.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { table } from "../fixtures/sample-rows.ts";

/** A store of these rows (by table) with wallets' days computed through `closed`, queried at noon of that day. */
export async function openFolded(rows: Readonly<Record<string, readonly InsertRow[]>>, closed: string) {
  const store = await openTestStore();
  for (const [name, given] of Object.entries(rows)) await store.insert(table(name), given);
  await store.run(fromDefinition("SYSTEM RELOAD DICTIONARY polymarket_token_info"));
  const engine = { fold: walletFold, store, read: foldReader(store), checkpoints: openCheckpoints(walletFold) };
  await foldAll(engine, { sinceMs: 0, closed, signal: new AbortController().signal });
  const query = openTestQuery(store, () => Date.parse(`${closed}T12:00:00Z`));
  const rowsOf = (agentId: number, params: Readonly<Record<string, unknown>>) => query.rows(agentId, { params });
  return { store, rows: rowsOf, close: () => store.close() };
}

/** Numbers of a row, whose decimals come as text. */
export const numbersOf = (row: Readonly<Record<string, unknown>> | undefined, ...names: string[]): number[] =>
  names.map((name) => Number(row?.[name]));

import { setImmediate as breathe } from "node:timers/promises";
import { sql, type Named } from "../../definition/sql.ts";
import type { Store } from "../../store/store.ts";
import type { TokenIndex } from "../token-index.ts";
import { MARGIN_MICROS } from "./mark.ts";
import { allTokens, tokensStored, type TokenSlice } from "./read-tokens.ts";

export type TokenFeed = { readonly store: Pick<Store, "read" | "rows">; readonly table: Named };

/**
 * Brings the index up to date with a recent state of the store: slices of rows, then the mark. Applying rows again
 * changes nothing. A comparison checks the number of tokens at one point in time: if the index has another number, it
 * is rebuilt and the function returns true.
 */
export async function applyTokens(
  index: TokenIndex,
  { store, table }: TokenFeed,
  isCompared: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  let newest = 0;
  const put = async (slices: AsyncIterable<TokenSlice>): Promise<void> => {
    for await (const { rows, version } of slices) {
      index.put(rows);
      newest = Math.max(newest, version);
      await breathe();
      signal.throwIfAborted();
    }
  };
  const mark = index.mark();
  const compared = isCompared || mark === undefined ? await countTokens(store, table) : undefined;
  newest = compared?.newest ?? mark ?? 0;
  if (mark !== undefined)
    await put(tokensStored(store, table, compared ? mark - MARGIN_MICROS : mark, compared?.newest));
  const isNew = mark === undefined || (compared !== undefined && index.count() !== compared.count);
  if (isNew) {
    index.clear();
    if (compared?.count !== 0) await put(allTokens(store, table));
    newest = compared?.newest ?? 0;
  }
  index.setMark(newest);
  return isNew;
}

async function countTokens(
  store: TokenFeed["store"],
  table: Named,
): Promise<{ readonly count: number; readonly newest: number }> {
  const [row] = await store.rows<{ count: string; newest: string }>(
    sql`SELECT toString(count()) AS count, toString(max(version)) AS newest FROM ${table} FINAL`,
  );
  return { count: Number(row?.count ?? 0), newest: Number(row?.newest ?? 0) };
}

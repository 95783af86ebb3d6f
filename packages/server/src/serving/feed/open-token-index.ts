import { setImmediate as breathe } from "node:timers/promises";
import type { Logger } from "pino";
import { sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { Store } from "../../store/store.ts";
import { TokenIndex } from "../token-index.ts";
import { followIndex, type Following } from "./follow-index.ts";
import { MARGIN_MICROS } from "./mark.ts";
import { COMPARED_EVERY_MS } from "./open-index.ts";
import { allTokens, tokensStored, type TokenSlice } from "./read-tokens.ts";

export type OpenTokenIndex = Pick<Following, "changed" | "close"> & {
  /** The index, where it has everything that is stored; else the column engine answers. */
  readonly reader: () => TokenIndex | undefined;
  /** Milliseconds since it was as the store is; undefined while it is built. */
  readonly behindMs: () => number | undefined;
};

export type TokenIndexOptions = {
  readonly store: Pick<Store, "read" | "rows">;
  readonly table: TableDefinition;
  readonly folder: string;
  readonly log: Pick<Logger, "error" | "info">;
};

/** The index of tokens in a folder: built where there is none or it has another number of tokens, and followed. */
export function openTokenIndex(options: TokenIndexOptions): OpenTokenIndex {
  const index = new TokenIndex(options.folder);
  const following = followIndex(
    {
      table: options.table.name,
      apply: (_left, isCompared, signal) => applyTokens(index, options, isCompared, signal),
      mark: () => index.mark() ?? 0,
      close: () => index.close(),
    },
    options.log,
  );
  const compare = (): void => following.changed("unknown");
  compare();
  const timer = setInterval(compare, COMPARED_EVERY_MS).unref();
  return {
    changed: following.changed,
    reader: () => (following.isWhole() ? index : undefined),
    behindMs: following.behindMs,
    close: async () => {
      clearInterval(timer);
      await following.close();
    },
  };
}

/**
 * Brings the index to what the store had a moment ago: slices of rows, then the mark. Nobody reads it meanwhile, and
 * rows that are applied again change nothing. Compared is the number of tokens of one moment.
 */
async function applyTokens(
  index: TokenIndex,
  { store, table, log }: TokenIndexOptions,
  isCompared: boolean,
  signal: AbortSignal,
): Promise<void> {
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
  if (mark === undefined || (compared && index.count() !== compared.count)) {
    log.info({ table: table.name }, "building the index of tokens");
    index.clear();
    await put(allTokens(store, table));
    newest = compared?.newest ?? 0;
    log.info({ table: table.name, tokens: index.count() }, "the index of tokens is built and answers from now on");
  }
  index.setMark(newest);
}

async function countTokens(
  store: TokenIndexOptions["store"],
  table: TableDefinition,
): Promise<{ readonly count: number; readonly newest: number }> {
  const [row] = await store.rows<{ count: string; newest: string }>(
    sql`SELECT toString(count()) AS count, toString(max(version)) AS newest FROM ${table} FINAL`,
  );
  return { count: Number(row?.count ?? 0), newest: Number(row?.newest ?? 0) };
}

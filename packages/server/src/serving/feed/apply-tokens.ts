import { setImmediate as breathe } from "node:timers/promises";
import { sql, type Named, bind, type Sql } from "../../definition/sql.ts";
import type { Store } from "../../store/store.ts";
import type { TokenIndex, TokenRow } from "../token-index.ts";
import { MARGIN_MICROS } from "./known-parts.ts";
import { readNative } from "./native.ts";

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

/** Rows per statement. */
const CHUNK_ROWS = 5_000;
/** Rows applied before yielding to the event loop: a few milliseconds. */
const SLICE_ROWS = 100;
const ID_BYTES = 32;
const READING = { max_execution_time: 600 };

const COLUMNS = sql`reverse(reinterpretAsFixedString(token_id)) AS v_token, condition_id AS v_condition, outcome_index AS v_outcome_index, outcome AS v_outcome, slug AS v_slug, toFloat64(version) AS v_version`;

/** Some tokens, and the version of the last row that was read with them. */
export type TokenSlice = { readonly rows: readonly TokenRow[]; readonly version: number };

/** All current tokens, ordered by token and in slices. */
export async function* allTokens(store: Pick<Store, "read">, table: Named): AsyncGenerator<TokenSlice> {
  for (let where = sql`1`; ;) {
    const statement = sql`SELECT ${COLUMNS} FROM ${table} FINAL WHERE ${where} ORDER BY token_id LIMIT ${bind("UInt64", CHUNK_ROWS)}`;
    const chunk = await readChunk(store, statement);
    const { rows } = chunk;
    yield* slicesOf(chunk);
    if (rows.length < CHUNK_ROWS) return;
    where = sql`token_id > ${lastToken(rows)}`;
  }
}

/** Rows stored with a version above `after`, and at most `through` if given, older versions of a token first. */
export async function* tokensStored(
  store: Pick<Store, "read">,
  table: Named,
  after: number,
  through?: number,
): AsyncGenerator<TokenSlice> {
  const until = through === undefined ? sql`` : sql` AND version <= ${versionOf(through)}`;
  for (let where = sql`version > ${versionOf(Math.max(0, after))}`; ;) {
    const statement = sql`SELECT ${COLUMNS} FROM ${table} WHERE ${where}${until} ORDER BY version, token_id LIMIT ${bind("UInt64", CHUNK_ROWS)}`;
    const chunk = await readChunk(store, statement);
    const { rows, version: last } = chunk;
    yield* slicesOf(chunk);
    if (rows.length < CHUNK_ROWS) return;
    where = sql`version >= ${versionOf(last)} AND (version, token_id) > (${versionOf(last)}, ${lastToken(rows)})`;
  }
}

const versionOf = (value: number): Sql => sql`${bind("UInt64", String(value))}`;

const lastToken = (rows: readonly TokenRow[]): Sql =>
  sql`${bind("UInt256", BigInt(`0x${rows.at(-1)?.token.toString("hex")}`).toString())}`;

async function readChunk(store: Pick<Store, "read">, statement: Sql): Promise<TokenSlice> {
  const rows: TokenRow[] = [];
  let version = 0;
  for (const { count, columns } of readNative(await store.read(statement, { format: "Native", settings: READING }))) {
    const bytes = (column: string, row: number): Buffer =>
      (columns[column] as Buffer).subarray(row * ID_BYTES, (row + 1) * ID_BYTES);
    for (let row = 0; row < count; row += 1)
      rows.push({
        token: bytes("v_token", row),
        condition: bytes("v_condition", row),
        outcomeIndex: Number(columns["v_outcome_index"]?.[row]),
        outcome: String(columns["v_outcome"]?.[row]),
        slug: String(columns["v_slug"]?.[row]),
      });
    version = (columns["v_version"] as Float64Array).at(-1) ?? version;
  }
  return { rows, version };
}

function* slicesOf({ rows, version }: TokenSlice): Generator<TokenSlice> {
  for (let from = 0; from < rows.length; from += SLICE_ROWS)
    yield { rows: rows.slice(from, from + SLICE_ROWS), version };
}

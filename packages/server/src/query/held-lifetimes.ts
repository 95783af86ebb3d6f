import type { Lifetime, Lifetimes } from "../definition/dataset.ts";
import { findRows } from "../serving/list/find-rows.ts";
import type { HeldList } from "../serving/list/held-list.ts";
import type { QueryOptions } from "./open-query.ts";

export type HeldMarkets = Pick<QueryOptions, "listed" | "servedTokens">;
type Found = Lifetime & { readonly id: string };

/** If more markets than this share one slug, the engine looks them up. */
const MAX_ALIKE = 10;

/** Trading times of the requested markets from the in-memory market list; undefined if the engine must be queried. */
export function heldLifetimes({ ids, held }: Lifetimes, { listed, servedTokens }: HeldMarkets): Found[] | undefined {
  const markets = listed?.(held.markets.name);
  if (markets === undefined) return undefined;
  if (held.tokens === undefined)
    return readFrom(markets, ({ list }) => lifetimesIn(list, held, new Map(ids.map((id) => [id, id]))));
  const infos = readFrom(servedTokens?.(held.tokens.name), ({ reader }) => reader.infosOf(ids));
  const texts = infos && new Map([...infos].map(([id, { condition_id: condition }]) => [id, String(condition)]));
  return texts && readFrom(markets, ({ list }) => lifetimesIn(list, held, texts));
}

/** Reads from a source; reports a failure to it and returns undefined. */
function readFrom<Source extends { readonly failed: (cause: unknown) => void }, Read>(
  source: Source | undefined,
  read: (source: Source) => Read | undefined,
): Read | undefined {
  try {
    return source && read(source);
  } catch (cause) {
    source?.failed(cause);
    return undefined;
  }
}

/** Lifetimes of markets by id, looked up by their text in the list. */
function lifetimesIn(
  list: HeldList,
  { column, lifetime }: Lifetimes["held"],
  texts: ReadonlyMap<string, string>,
): Found[] | undefined {
  const found: Found[] = [];
  for (const [id, text] of texts) {
    const rows = column === undefined ? [list.rowOf(text)] : rowsBy(list, column, text);
    if (rows === undefined) return undefined;
    for (const row of rows)
      if (row !== undefined) found.push({ id, ...lifetime(JSON.parse(list.file.shown(row).toString("utf8"))) });
  }
  return found;
}

function rowsBy(list: HeldList, column: string, text: string): readonly number[] | undefined {
  const tests = [{ column, oneOf: [text] }];
  const rows = findRows(list, { tests, by: undefined, direction: "asc", after: undefined, depth: MAX_ALIKE + 1 });
  return rows !== undefined && rows.length > MAX_ALIKE ? undefined : rows;
}

import type { ReadBoard, KeyedAsking, ReadStatement, ServedKeyed, ReadEngine } from "../../definition/served-keyed.ts";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import type { Bound } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { ReadSet } from "../../serving/key-versions.ts";
import type { Store } from "../../store/store.ts";
import type { PageOf } from "../read-page.ts";
import { findInIndexes } from "./find-in-indexes.ts";
import { isText, keyedPage } from "./keyed-page.ts";
import type { ServedPage, ServedSource, ServedSources } from "./read-served.ts";
import type { TokenSources } from "./token-lookups.ts";

export type KeyedSources = {
  readonly store: Pick<Store, "read">;
  readonly sources: ServedSources;
  readonly tokenSources: TokenSources;
  readonly statement: ReadStatement;
  readonly board: ReadBoard;
  readonly read: ReadEngine;
};

/** Answers a page computed from rows held by key; undefined if these do not reach far enough. */
export async function readKeyed(
  dataset: DatasetDefinition,
  served: ServedKeyed,
  { given, page, from }: { given: Readonly<Record<string, Bound>>; page: PageOf; from: KeyedSources },
): Promise<ServedPage | undefined> {
  const others: TableDefinition[] = [];
  const readSet = new ReadSet();
  const { offset, now } = page;
  const depth = offset + page.limit + 1;
  const asking = { ...from, now, ...walkOf(page), depth, offset };
  const search = await served.search(given, tracking(asking, others, readSet));
  if (search === undefined) return undefined;
  const reads = search.reads ?? served;
  const tokens = reads.tokens && from.tokenSources(reads.tokens.name);
  if (reads.tokens !== undefined && tokens === undefined) return undefined;
  const read = new Map<string, ServedSource>();
  for (const { name } of reads.tables) {
    const source = from.sources(name);
    if (source === undefined) return undefined;
    read.set(name, source);
  }
  const asOf = earliest([...read.values()].map((source) => source.asOf()));
  if (search.isOnSnapshot === true && !isHeldOf(page, asOf)) return undefined;
  const rows = await findInIndexes({ read, tokens, readSet }, search, page);
  const readers = new Map([...read].map(([name, { reader }]) => [name, reader]));
  const bytes = rows && (await keyedPage(from.store, { dataset, served, given, search, page }, rows));
  return bytes && { ...bytes, asOf, readFrom: { readSet, readers, others } };
}

/** Records the tables that a search reads other than by key, as far as they are known. */
const tracking = (asking: KeyedAsking, others: TableDefinition[], readSet: ReadSet): KeyedAsking => ({
  ...asking,
  statement: (text, tables) => {
    others.push(...tables);
    return asking.statement(text, tables);
  },
  board: (wanted) => {
    others.push(...wanted.tables);
    return asking.board(wanted);
  },
  get read() {
    readSet.invalidate();
    return asking.read;
  },
});

/** The position at which a walk by cursor continues, and its snapshot. */
export const walkOf = ({ cursor }: PageOf): Pick<KeyedAsking, "after" | "snapshot"> => ({
  after: cursor?.after,
  snapshot: cursor && Number(cursor.snapshot.value),
});

/** Whether everything the walk must show is in the index. */
function isHeldOf(page: PageOf, asOf: number | undefined): boolean {
  const { snapshot = 0 } = walkOf(page);
  return isText(page.format) && (asOf === undefined || snapshot <= asOf);
}

const earliest = (timestamps: readonly (number | undefined)[]): number | undefined => {
  const known = timestamps.filter((timestamp) => timestamp !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

import { setTimeout as sleep } from "node:timers/promises";
import type { ReadBoard, KeyedAsking } from "../definition/served-keyed.ts";
import type { IndexSpan } from "../definition/coverage.ts";
import type { DatasetDefinition } from "../definition/dataset.ts";
import type { Bound } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";
import type { CursorState } from "./cursor.ts";
import { type KeptPage, readPage, snapshotAt, type PageBytes } from "./read-page.ts";
import type { QueryOptions } from "./open-query.ts";
import type { QueryRequest } from "./parse-request.ts";
import { readEngineOf } from "./query-engine.ts";
import { sourcesOf } from "./requested-of.ts";
import { createStampsAhead } from "./stamps-ahead.ts";
import type { TableDefinition } from "../definition/table.ts";
import { compareSampled, type ComparedPage } from "./served/compare-sampled.ts";
import { keepBoards, keepStatements } from "./served/keep-reads.ts";
import { openReadByEngine } from "./served/read-by-engine.ts";
import { openReadListed } from "./served/read-listed.ts";
import { openReadServed, type ReadFrom, type ReadServed } from "./served/read-served.ts";

const SECOND_MS = 1_000;
/** A table unchanged for this long is settled: dictionaries built from it have been reloaded by then. */
const SETTLED_MS = 10_000;

type RequestedPage = {
  readonly dataset: DatasetDefinition;
  readonly given: Readonly<Record<string, Bound>>;
  readonly request: Pick<QueryRequest, "format" | "page">;
  readonly limit: number;
  readonly cursor: CursorState | undefined;
};

/** Reads a page from the cheapest source: a list, rows held by key, such rows from the engine, or its SQL statement. */
export function createReadKept(options: QueryOptions): (requested: RequestedPage) => Promise<KeptPage> {
  const { store, now } = options;
  const kept = { statement: keepStatements(store), board: keepBoards(store, store.stampOf), read: readEngineOf(store) };
  const { served: sources, servedTokens } = options;
  const readServed = sources && comparing(options, openReadServed(store, sources, kept, servedTokens), kept.board);
  const readByEngine = openReadByEngine(store, options.isAlone === true ? kept : requestedAgain(store));
  const readListed = options.listed && comparing(options, openReadListed(options.listed), kept.board);
  const recent = options.hasCold === true ? { recentFirst: true as const } : {};
  const stampsAhead = createStampsAhead(store, now);
  const count = (isServed: boolean): void => options.countServed?.(isServed ? "index" : "engine");
  return async ({ dataset, given, request, limit, cursor }) => {
    const { offset } = request.page;
    const lasting = lastingOf(options, sourcesOf(dataset, given));
    const began = cursor?.began ?? Math.floor(now());
    const walk = cursor ? { cursor: { snapshot: snapshotAt(cursor.snapshot), after: cursor.after } } : {};
    const plain = { limit, offset, format: request.format, now: snapshotAt(onClock(now)), ...walk };
    const listed = await readListed?.(dataset, given, plain);
    if (dataset.listed) count(listed !== undefined);
    if (listed !== undefined) return { ...listed, began, index: { from: null, to: null }, ...lasting() };
    const snapshot = cursor?.snapshot ?? (await snapshotOf(options, dataset));
    const time = dataset.snapshot ? onClock(now) : earlier(snapshot, Math.round(began * 1_000));
    const page = { ...plain, now: snapshotAt(time), ...recent };
    const held = dataset.held && (await options.heldOf?.(dataset.held.name));
    const until = options.servedUntil?.();
    const served = await readServed?.(dataset, given, page);
    if (dataset.served) count(served !== undefined);
    if (served !== undefined) {
      const { readFrom, asOf, through, ...bytes } = served;
      const whole = cursor ? snapshot : later(snapshot, through);
      return {
        ...bytes,
        snapshot: earlier(earlier(whole, asOf), until),
        began,
        index: indexSpan(readFrom, asOf),
        ...lastingByKeys(options, readFrom, lasting),
      };
    }
    const read = dataset.query
      ? readPage(store, dataset, given, { ...page, held })
      : readByEngine(dataset, given, page);
    const bytes = await read;
    const isFirst = bytes.last !== undefined && cursor === undefined && !dataset.snapshot;
    const whole = isFirst ? later(snapshot, await stampsAhead(dataset.tables)) : snapshot;
    return { ...bytes, snapshot: whole, began, ...lasting() };
  };
}

type Lasting = Pick<KeptPage, "isCurrent" | "isSettled">;

/** Validity of what is read from tables from now on; `of` selects the tables on which it depends entirely. */
function lastingOf({ store, isAlone }: QueryOptions, tables: readonly TableDefinition[]) {
  const stamps = tables.map((table) => ({ table, stamp: store.stampOf([table]), rest: store.unchangedMs([table]) }));
  return (of: (table: TableDefinition) => boolean = () => true): Lasting => {
    const read = stamps.filter(({ table }) => of(table));
    return {
      isCurrent: () => read.every(({ table, stamp }) => store.stampOf([table]) === stamp),
      isSettled: isAlone === true && read.every(({ rest }) => rest >= SETTLED_MS),
    };
  };
}

/** Validity of a page read by key from some tables and entirely from others, if its read set is valid. */
function lastingByKeys(
  { served }: QueryOptions,
  { readSet, readers, others }: ReadFrom,
  lasting: ReturnType<typeof lastingOf>,
) {
  // Another thread may have written to the keys meanwhile.
  if (!readSet.isCurrent()) return lasting();
  const areRead = (): boolean => [...readers].every(([name, reader]) => served?.(name)?.reader === reader);
  const rest = lasting((table) => !readers.has(table.name) || others.some(({ name }) => name === table.name));
  return { ...rest, isCurrent: () => readSet.isCurrent() && areRead() && rest.isCurrent() };
}

/** The time span that all of the indexes contain. The readers may be closed by now. */
function indexSpan({ readSet: { floor } }: ReadFrom, asOf: number | undefined): IndexSpan {
  return { from: floor === 0 ? null : isoOf(floor), to: asOf === undefined ? null : isoOf(asOf / 1_000_000) };
}

const isoOf = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;

/**
 * Other processes' writes do not invalidate anything cached here, so every statement is read again; boards, which are
 * expensive to build, read their changes once a second.
 */
function requestedAgain(
  store: Pick<Store, "rows" | "read" | "stampOf">,
): Pick<KeyedAsking, "statement" | "board" | "read"> {
  // Neither part ever decreases, so the sum changes with either.
  const stampOf: Store["stampOf"] = (tables) => store.stampOf(tables) + Math.floor(performance.now() / SECOND_MS);
  return {
    statement: (statement) => store.rows(statement),
    read: readEngineOf(store),
    board: keepBoards(store, stampOf),
  };
}

/** Within this process a change is reported as soon as its statement has ended. */
const SETTLE_MS = 500;

function comparing<Page extends ComparedPage>(
  options: QueryOptions,
  readServed: (...requested: Parameters<ReadServed>) => Promise<Page | undefined>,
  board: ReadBoard,
): (...requested: Parameters<ReadServed>) => Promise<Page | undefined> {
  const { store, compared } = options;
  if (compared === undefined) return readServed;
  const byEngine = openReadByEngine(store, { ...requestedAgain(store), board });
  const readEngine = (...requested: Parameters<ReadServed>): Promise<PageBytes> =>
    requested[0].query ? readPage(store, ...requested) : byEngine(...requested);
  const { changeLagMs } = options;
  const isFollowing = changeLagMs !== undefined;
  const settle = (): Promise<void> => sleep(isFollowing ? changeLagMs : SETTLE_MS);
  return compareSampled(readServed, readEngine, { store, compared, settle, isFollowing, dictionaryMs: SETTLED_MS });
}

async function snapshotOf({ store, now }: QueryOptions, { snapshot }: DatasetDefinition): Promise<string> {
  if (!snapshot) return later(onClock(now), store.newestStamp());
  const [found] = await store.rows<{ snapshot: string }>(snapshot);
  return found?.snapshot ?? "0";
}

/** A walk that began on rows of an earlier time uses the snapshot of that time. */
const earlier = (snapshot: string, asOf: number | undefined): string =>
  asOf === undefined ? snapshot : String(Math.min(Number(snapshot), asOf));

/** Rows may have been stored with later stamps than a snapshot's time if the clock was set back since. */
const later = (snapshot: string, stamp = 0): string => String(Math.max(Number(snapshot), stamp));

/** Microseconds since 1970. */
const onClock = (now: () => number): string => String(Math.floor(now()) * 1_000);

import { LRUCache } from "lru-cache";
import { atMost } from "../definition/at-most.ts";
import type { Requested, Coverage } from "../definition/coverage.ts";
import type { DatasetDefinition, Lifetime, Lifetimes } from "../definition/dataset.ts";
import { inTime } from "../definition/pacing.ts";
import type { Bound } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";
import { findRows } from "../serving/list/find-rows.ts";
import type { HeldList } from "../serving/list/held-list.ts";
import type { QueryOptions } from "./open-query.ts";

type Given = Readonly<Record<string, Bound>>;
type Row = { readonly id: string } & { readonly [Edge in keyof Lifetime]: string | number | null };
type Edges = Pick<Requested, "from" | "to">;

const MAX_KEPT = 20_000;
/** A market closes once, and a stale lifetime makes coverage report too little, not too much. */
const KEPT_MS = 600_000;
const PATIENCE_MS = 1_000;

/** Coverage of a request; if incomplete, coverage of the time in which the requested markets were open. */
export function createWithinLifetimes(
  store: Pick<Store, "rows">,
  held: HeldMarkets,
): (dataset: DatasetDefinition, given: Given, requested: Requested, report: Report) => Promise<Coverage> {
  const kept = new LRUCache<string, Promise<Edges>>({ ...atMost(MAX_KEPT), ttl: KEPT_MS });
  const edgesOf = (dataset: DatasetDefinition, given: Given): Edges | Promise<Edges> | undefined => {
    const lifetimes = dataset.lifetimes?.(given);
    if (lifetimes === undefined) return undefined;
    const ids = new Set(lifetimes.ids);
    const rows = heldLifetimes(lifetimes, held);
    if (rows !== undefined) return edges(rows, ids);
    const key = `${dataset.agentId} ${lifetimes.ids.join()}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const reading = store.rows<Row>(lifetimes.rows).then((found) => edges(found, ids));
    kept.set(key, reading);
    reading.catch(() => kept.delete(key));
    return reading;
  };
  return async (dataset, given, requested, report) => {
    const coverage = await report(requested);
    if (coverage.complete || coverage.isOfRange !== true) return coverage;
    const found = await soon(edgesOf(dataset, given));
    const narrowed = found && narrow(requested, found);
    return narrowed === undefined || narrowed === requested ? coverage : report(narrowed);
  };
}

/** A page read by key neither waits long for the engine nor fails with it: coverage then ignores lifetimes. */
async function soon(requested: Edges | Promise<Edges> | undefined): Promise<Edges | undefined> {
  if (!(requested instanceof Promise)) return requested;
  return inTime(requested, PATIENCE_MS, () => new Error("the engine is busy")).catch(() => undefined);
}

type Report = (requested: Requested) => Promise<Coverage>;

/** From the first trade of any market to the last trade of any; unbounded if one market's is unknown. */
function edges(rows: readonly Row[], ids: ReadonlySet<string>): Edges {
  if (new Set(rows.map(({ id }) => id)).size < ids.size) return {};
  const [from, to] = [rows.map(({ from_s }) => from_s), rows.map(({ to_s }) => to_s)];
  return {
    ...(from.includes(null) ? {} : { from: isoOf(Math.min(...from.map(Number))) }),
    ...(to.includes(null) ? {} : { to: isoOf(Math.max(...to.map(Number))) }),
  };
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** The requested range within a lifetime; if they do not overlap, the end of the lifetime. */
function narrow(requested: Requested, { from, to }: Edges): Requested {
  const begin = from !== undefined && (requested.from === undefined || requested.from < from) ? from : requested.from;
  const end = to !== undefined && (requested.to === undefined || requested.to > to) ? to : requested.to;
  if (begin === requested.from && end === requested.to) return requested;
  const first = begin !== undefined && end !== undefined && begin > end ? end : begin;
  return { ...requested, ...(first === undefined ? {} : { from: first }), ...(end === undefined ? {} : { to: end }) };
}

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

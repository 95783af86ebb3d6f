import { LRUCache } from "lru-cache";
import { atMost } from "../definition/at-most.ts";
import type { Asked, Coverage } from "../definition/coverage.ts";
import type { DatasetDefinition, Lifetime } from "../definition/dataset.ts";
import { inTime } from "../definition/in-time.ts";
import type { Bound } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";
import { heldLifetimes, type HeldMarkets } from "./held-lifetimes.ts";

type Given = Readonly<Record<string, Bound>>;
type Row = { readonly id: string } & { readonly [Edge in keyof Lifetime]: string | number | null };
type Edges = Pick<Asked, "from" | "to">;

const MOST_KEPT = 20_000;
/** A market closes once, and a stale lifetime makes coverage report too little, not too much. */
const KEPT_MS = 600_000;
const PATIENCE_MS = 1_000;

/** Coverage of a request; if incomplete, coverage of the time in which the requested markets were open. */
export function createWithinLifetimes(
  store: Pick<Store, "rows">,
  held: HeldMarkets,
): (dataset: DatasetDefinition, given: Given, asked: Asked, tell: Tell) => Promise<Coverage> {
  const kept = new LRUCache<string, Promise<Edges>>({ ...atMost(MOST_KEPT), ttl: KEPT_MS });
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
  return async (dataset, given, asked, tell) => {
    const coverage = await tell(asked);
    if (coverage.complete || coverage.isOfRange !== true) return coverage;
    const found = await soon(edgesOf(dataset, given));
    const narrowed = found && narrow(asked, found);
    return narrowed === undefined || narrowed === asked ? coverage : tell(narrowed);
  };
}

/** A page read by key neither waits long for the engine nor fails with it: coverage then ignores lifetimes. */
async function soon(asked: Edges | Promise<Edges> | undefined): Promise<Edges | undefined> {
  if (!(asked instanceof Promise)) return asked;
  return inTime(asked, PATIENCE_MS, () => new Error("the engine is busy")).catch(() => undefined);
}

type Tell = (asked: Asked) => Promise<Coverage>;

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
function narrow(asked: Asked, { from, to }: Edges): Asked {
  const begin = from !== undefined && (asked.from === undefined || asked.from < from) ? from : asked.from;
  const end = to !== undefined && (asked.to === undefined || asked.to > to) ? to : asked.to;
  if (begin === asked.from && end === asked.to) return asked;
  const first = begin !== undefined && end !== undefined && begin > end ? end : begin;
  return { ...asked, ...(first === undefined ? {} : { from: first }), ...(end === undefined ? {} : { to: end }) };
}

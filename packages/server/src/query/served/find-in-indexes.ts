import { setImmediate as breathe } from "node:timers/promises";
import { atOnce, beside } from "../../definition/pacing.ts";
import type { KeyedSearch } from "../../definition/served-keyed.ts";
import type { ReadSet } from "../../serving/key-versions.ts";
import type { PageOf } from "../read-page.ts";
import { findKeyed, type Found } from "./find-keyed.ts";
import { BELOW_FLOOR, reading, TOO_MANY, type Walked } from "./index-walks.ts";
import type { ServedSource } from "./read-served.ts";

/** Maximum rows scanned for one page; beyond it the engine would be as fast. */
export const BUDGET = 20_000;
/** Maximum rows a page may read while blocking the event loop; larger pages are computed in slices. */
const AT_ONCE = 1_000;
/** Maximum pages computed in slices at once, each on its own snapshots; the engine answers the others. */
const MAX_BESIDE = 4;

/** `readSet` collects the keys that are read. */
type Sources = Walked & { readonly readSet: ReadSet };

/** The rows up to the end of the page, plus one if more follow; undefined if the indexes may lack some. */
export async function findInIndexes(sources: Sources, search: KeyedSearch, page: PageOf): Promise<Found[] | undefined> {
  const found = findAtOnce(sources, search, page);
  return found === TOO_MANY ? findBeside(sources, search, page) : found;
}

function findAtOnce(sources: Sources, search: KeyedSearch, page: PageOf): Found[] | undefined | typeof TOO_MANY {
  let at: Pick<ServedSource, "failed"> | undefined;
  /** Nested reads, so that each table is read at a single point in time. */
  const within = (left: readonly ServedSource[]): Found[] | undefined => {
    const [source, ...others] = left;
    if (source === undefined) {
      const reader = reading(sources, AT_ONCE, (one) => void (at = one));
      return atOnce(findKeyed(reader, search, page));
    }
    at = source;
    return source.reader.read(() => {
      const floor = source.reader.floor();
      return floor === undefined || (search.from ?? floor) < floor ? undefined : within(others);
    }, sources.readSet);
  };
  try {
    return within([...sources.read.values()]);
  } catch (cause) {
    if (cause === TOO_MANY) return TOO_MANY;
    if (cause !== BELOW_FLOOR) at?.failed(cause);
    return undefined;
  }
}

let besides = 0;

/** The same for more rows, in slices between which other requests are answered. */
async function findBeside(sources: Sources, search: KeyedSearch, page: PageOf): Promise<Found[] | undefined> {
  if (besides >= MAX_BESIDE) return undefined;
  besides += 1;
  let at: Pick<ServedSource, "failed"> | undefined;
  const snapshots = new Map<string, ServedSource>();
  try {
    for (const [name, source] of sources.read) {
      at = source;
      const reader = source.reader.snapshot(sources.readSet);
      snapshots.set(name, { ...source, reader });
      const floor = reader.floor();
      if (floor === undefined || (search.from ?? floor) < floor) return undefined;
      await breathe();
    }
    const reader = reading({ ...sources, read: snapshots }, BUDGET, (one) => void (at = one));
    return await beside(findKeyed(reader, search, page));
  } catch (cause) {
    if (cause !== TOO_MANY && cause !== BELOW_FLOOR) at?.failed(cause);
    return undefined;
  } finally {
    for (const { reader } of snapshots.values()) reader.close();
    besides -= 1;
  }
}

import type { FoldReader } from "../../definition/fold.ts";

/** The fields of each line of the engine's TSV, where no field holds text that is escaped. */
export function* tabRows(bytes: Buffer): Generator<readonly string[]> {
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(10, start);
    const stop = end === -1 ? bytes.length : end;
    yield bytes.toString("latin1", start, stop).split("\t");
    start = stop + 1;
  }
}

/** Ids of one statement: the engine takes no bound value of more than 131,072 characters. */
const IDS_A_READ = 1500;
/** Beyond, what is known is forgotten. */
const MOST_KNOWN = 2_000_000;

/**
 * Looks values up by id (given once), each once in a piece of work (`read.memory`). `find` gives the values of some ids; what it
 * does not find is undefined from then on.
 */
export async function knownOnce<Value>(
  read: FoldReader,
  name: string,
  ids: Iterable<string>,
  find: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): Promise<ReadonlyMap<string, Value | undefined>> {
  let known = read.memory.get(name) as Map<string, Value | undefined> | undefined;
  if (known === undefined || known.size > MOST_KNOWN) read.memory.set(name, (known = new Map()));
  const missing: string[] = [];
  for (const id of ids) if (!known.has(id)) missing.push(id);
  for (let place = 0; place < missing.length; place += IDS_A_READ) {
    const some = missing.slice(place, place + IDS_A_READ);
    const found = await find(some);
    for (const id of some) known.set(id, found.get(id));
  }
  return known;
}

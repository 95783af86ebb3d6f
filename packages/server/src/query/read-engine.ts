import type { ReadEngine } from "../definition/read-engine.ts";
import type { Store } from "../store/store.ts";

type Readable = Pick<Store, "rows" | "read">;

const known = new WeakMap<Readable, ReadEngine>();

/** The read functions that datasets use, one object per store, so that they can cache derived data keyed by it. */
export function readEngineOf(store: Readable): ReadEngine {
  const read: ReadEngine = known.get(store) ?? {
    rows: (statement) => store.rows(statement),
    bytes: (statement, format) => store.read(statement, { format }),
  };
  known.set(store, read);
  return read;
}

import type { Connection } from "./connection.ts";
import type { EngineLine } from "./engine-line.ts";

/** Who may write rows now, where several processes could: see ingest/leader. */
export type Fence = {
  /** Rises from leader to leader; staging tables are named for it. */
  readonly token: number;
  /** Throws where this process may not write now. */
  readonly check: () => void;
};

/** Of a process that shares its column engine with nobody. */
export const OPEN_FENCE: Fence = { token: 0, check: () => undefined };

/** The way to the engine for whatever writes: right before each statement leaves, `check` says whether it may. */
export function fencedLine(line: EngineLine, check: () => void): Pick<EngineLine, "connection" | "shards"> {
  // One object a connection: a writer knows a new life of the engine by it.
  const known = new WeakMap<Connection, Connection>();
  const fenced = (inner: Connection): Connection => {
    const found = known.get(inner) ?? {
      ...inner,
      send: (statement, more = {}) => inner.send(statement, { ...more, check }),
    };
    known.set(inner, found);
    return found;
  };
  return { connection: () => fenced(line.connection()), shards: () => fenced(line.shards()) };
}

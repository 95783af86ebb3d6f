import type { Connection } from "./connection.ts";
import type { EngineLine } from "./engine-line.ts";

/** Decides which process may write rows now, where several could: see ingest/leader. */
export type Fence = {
  /** Rises with every new leader; staging tables are named after it. */
  readonly token: number;
  /** Throws if this process may not write now. */
  readonly check: () => void;
};

/** The fence of a process that shares its column engine with no other. */
export const OPEN_FENCE: Fence = { token: 0, check: () => undefined };

/** Engine access for writers: right before each statement is sent, `check` decides whether it may be. */
export function fencedLine(line: EngineLine, check: () => void): Pick<EngineLine, "connection" | "shards"> {
  // One object per connection, because a writer recognises a restart of the engine by it.
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

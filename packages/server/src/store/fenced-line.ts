import type { Connection } from "./connection.ts";
import type { EngineLine } from "./engine-line.ts";

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

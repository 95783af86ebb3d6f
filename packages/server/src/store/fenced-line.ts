import type { Connection } from "./connection.ts";
import type { ClusterAccess, EngineLine } from "./engine-line.ts";

/** The way to the engine for whatever writes: right before each statement leaves, `check` says whether it may. */
export function fencedLine(line: EngineLine, check: () => void): Pick<EngineLine, "connection" | "cluster"> {
  // One object a connection: a writer knows a new life of the engine by it.
  const known = new WeakMap<Connection, Connection>();
  return {
    connection: () => {
      const inner = line.connection();
      const found = known.get(inner) ?? {
        ...inner,
        send: (statement, more = {}) => inner.send(statement, { ...more, check }),
      };
      known.set(inner, found);
      return found;
    },
    ...(line.cluster && { cluster: fencedCluster(line.cluster, check) }),
  };
}

/** Repairs of replicas change rows too. */
function fencedCluster(cluster: ClusterAccess, check: () => void): ClusterAccess {
  return { ...cluster, settle: (table, all) => cluster.settle(table, all, check) };
}

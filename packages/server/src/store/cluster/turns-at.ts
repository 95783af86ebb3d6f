import { runnerOf, type Runner } from "../runner.ts";
import { StoreError } from "../store-error.ts";
import type { ClusterNode } from "./cluster-node.ts";

/** The engine by which these nodes' turns are kept, the same for every program. Throws StoreError. */
export function turnsAt(nodes: readonly ClusterNode[]): Runner {
  const [first] = nodes.toSorted((a, b) => rankOf(a) - rankOf(b));
  if (first === undefined) throw new StoreError("absent", 0, "no node answers");
  return runnerOf(first.connection);
}

const rankOf = ({ place }: ClusterNode): number => (place ? place.shard * 1_000 + place.replica : Number.MAX_VALUE);

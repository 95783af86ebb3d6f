import type { ClusterNode } from "./cluster-node.ts";

/** Of a node that others find gone at once, that is late, that keeps silent; and of one that must not be asked. */
const [REFUSING, LATE, SILENT, NEVER] = [1, 2, 10, Number.POSITIVE_INFINITY];

/**
 * The node to ask next, with its replica number as that from which every shard is read; undefined where no live node can
 * answer for all shards. Those in `tried` come last.
 */
export function chooseReader(
  nodes: readonly ClusterNode[],
  tried: ReadonlyMap<ClusterNode, number>,
  turn: number,
): ClusterNode | undefined {
  const rated = nodes.flatMap((node, index) => {
    if (!node.isUsable || node.place === undefined) return [];
    const cost = costOf(nodes, node.place.replica);
    const times = tried.get(node) ?? 0;
    return cost === NEVER ? [] : [{ node, cost: times * 100 + cost, place: (index + turn) % nodes.length }];
  });
  return rated.toSorted((a, b) => a.cost - b.cost || a.place - b.place)[0]?.node;
}

/** The nodes that answer a read from the replicas of this number. */
export function rowOf(nodes: readonly ClusterNode[], replica: number): readonly ClusterNode[] {
  return nodes.filter(({ place }) => place?.replica === replica);
}

function costOf(nodes: readonly ClusterNode[], replica: number): number {
  const shards = [...new Set(nodes.flatMap(({ place }) => (place ? [place.shard] : [])))];
  return shards.reduce((sum, shard) => {
    const of = nodes.filter(({ place }) => place?.shard === shard);
    const first = of.find(({ place }) => place?.replica === replica);
    if (first === undefined) return sum + SILENT;
    const own = costOfNode(first);
    if (own !== REFUSING) return sum + own;
    // Any of the others may be asked in its place.
    const others = of.filter((node) => node !== first).map(costOfNode);
    return others.every((cost) => cost === REFUSING) ? NEVER : sum + REFUSING + Math.max(...others);
  }, 0);
}

function costOfNode(node: ClusterNode): number {
  if (node.state === "behind") return NEVER;
  if (node.state === "live") return 0;
  if (node.state === "late") return LATE;
  return node.isRefusing ? REFUSING : SILENT;
}

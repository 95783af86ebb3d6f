import { StoreError } from "../store-error.ts";
import type { ClusterNode } from "./cluster-node.ts";
import type { NodeReport } from "./look-at-node.ts";

/**
 * Gives each node that answered its place, and says whether replicas copy from each other. Throws where the addresses
 * are not those of the cluster, StoreError "absent" where none answered. One that did not answer takes the place that is
 * left over, when there is only one.
 */
export function placeNodes(
  cluster: string,
  nodes: readonly ClusterNode[],
  reports: readonly (NodeReport | undefined)[],
): boolean {
  const told = reports.find((report) => report !== undefined);
  if (told === undefined) throw new StoreError("absent", 0, `no node of the cluster ${cluster} answers`);
  const taken = new Map<string, ClusterNode>();
  reports.forEach((report, index) => {
    const node = nodes[index];
    if (node === undefined || report === undefined) return;
    requireSame(cluster, node, report, nodes.length);
    const { place } = report;
    if (place === undefined) throw new Error(nowhere(cluster, node));
    const key = `${place.shard} ${place.replica}`;
    const other = taken.get(key);
    if (other) throw new Error(`CLICKHOUSE_URL names ${node.address.url} and ${other.name}, which are one node`);
    taken.set(key, node);
    [node.place, node.migration, node.state] = [place, report.migration, "live"];
  });
  placeLast(nodes, told);
  return told.isReplicatedInside;
}

function requireSame(cluster: string, node: ClusterNode, { replicas }: NodeReport, count: number): void {
  if (replicas === 0)
    throw new Error(`${node.address.url} knows no cluster ${cluster}: name one of its system.clusters`);
  if (replicas !== count)
    throw new Error(
      `CLICKHOUSE_URL names ${count} nodes, but the cluster ${cluster} has ${replicas} (asked ${node.address.url}): give the address of each, separated by commas`,
    );
}

function nowhere(cluster: string, node: ClusterNode): string {
  return `${node.address.url} does not find itself in the cluster ${cluster} (no row of its system.clusters is_local): its remote_servers must name it by an address and a TCP port of its own`;
}

function placeLast(nodes: readonly ClusterNode[], { replicas, shards }: NodeReport): void {
  const silent = nodes.filter(({ place }) => place === undefined);
  const only = silent[0];
  if (silent.length !== 1 || only === undefined) return;
  const each = replicas / shards;
  for (let index = 0; index < replicas; index += 1) {
    const [shard, replica] = [Math.floor(index / each) + 1, (index % each) + 1];
    if (!nodes.some(({ place }) => place?.shard === shard && place.replica === replica))
      only.place = { shard, replica };
  }
}

import type { Connection } from "../connection.ts";
import type { EngineLine } from "../engine-line.ts";
import { StoreError } from "../store-error.ts";
import type { ClusterNode } from "./cluster-node.ts";
import { ClusterNodes } from "./cluster-nodes.ts";
import type { ClusterPlace } from "./cluster-place.ts";
import { readAnywhere } from "./read-anywhere.ts";
import { ReplicaKeeper } from "./replica-keeper.ts";
import { writeCluster } from "./write-cluster.ts";

/** Throws StoreError "absent" where no node answers, Error where the addresses are not those of the cluster. */
export async function openClusterLine(place: ClusterPlace): Promise<EngineLine> {
  const nodes = await ClusterNodes.open(place);
  const keeper = new ReplicaKeeper(nodes);
  const reading: Connection = { send: readAnywhere(nodes), close: async () => undefined, cut: () => undefined };
  let writer = choose(nodes, nodes.list[0]);
  let connection = writeCluster(nodes, writer, keeper);
  const follow = (): Connection => {
    if (writer.isUsable || nodes.live.length === 0) return connection;
    writer = choose(nodes, writer);
    connection = writeCluster(nodes, writer, keeper);
    return connection;
  };
  return {
    address: () => {
      follow();
      return writer.address;
    },
    connection: follow,
    reading: () => reading,
    isOwn: false,
    trouble: () => nodes.trouble(),
    ended: new Promise<void>(() => {}),
    everyNode: async (statement) => {
      const targets = nodes.isReplicatedInside ? nodes.live : nodes.requireWritable();
      return nodes.flights.whileThere(targets, () =>
        Promise.all(targets.map(async ({ connection: each }) => (await each.send(statement)).bytes)),
      );
    },
    cluster: { nodes, settle: keeper.settle, forget: keeper.forget },
    close: () => nodes.close(),
  };
}

/** Writes stay with one node as long as it is there: the first, so that all processes take the same. */
function choose(nodes: ClusterNodes, before: ClusterNode | undefined): ClusterNode {
  const found = nodes.live[0] ?? before;
  if (found === undefined) throw new StoreError("absent", 0, `no node of the cluster ${nodes.name} answers`);
  return found;
}

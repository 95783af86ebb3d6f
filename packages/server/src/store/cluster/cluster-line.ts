import type { Connection } from "../connection.ts";
import type { EngineLine } from "../engine-line.ts";
import { StoreError } from "../statement.ts";
import type { ClusterNode, ClusterPlace } from "./cluster-node.ts";
import { ClusterNodes } from "./cluster-nodes.ts";

/** A filter on a subquery's result may read staging tables, which other nodes do not have, so it is not pushed down. */
const HERE_ONLY = { allow_push_predicate_ast_for_distributed_subqueries: 0 };

/** Throws StoreError "absent" if no node answers, Error if the addresses are not those of the cluster. */
export async function openClusterLine(place: ClusterPlace): Promise<EngineLine> {
  const nodes = await ClusterNodes.open(place);
  const reading = over(readAnywhere(nodes));
  const shards = over(changeEachShard(nodes));
  // Writes stay with one node while it is live, since it holds the staged rows: the first, the same for all processes.
  let writer = firstOf(nodes.live);
  let connection = over(writeThrough(nodes, writer));
  const follow = (): void => {
    if (nodes.live.includes(writer) || nodes.live.length === 0) return;
    writer = firstOf(nodes.live);
    connection = over(writeThrough(nodes, writer));
  };
  return {
    address: () => {
      follow();
      return writer.address;
    },
    connection: () => {
      follow();
      return connection;
    },
    reading: () => reading,
    shards: () => shards,
    isOwn: false,
    trouble: () => nodes.trouble(),
    ended: new Promise<void>(() => {}),
    everyNode: async (statement) => {
      nodes.requireShards();
      const replies = await Promise.all(nodes.live.map((node) => nodes.send(node, "connection", statement)));
      return replies.map(({ bytes }) => bytes);
    },
    cluster: nodes,
    close: () => nodes.close(),
  };
}

function firstOf([first]: readonly ClusterNode[]): ClusterNode {
  if (first === undefined) throw new StoreError("absent", 0, "no node of the cluster answers");
  return first;
}

/** `close` and `cut` do nothing, since the line owns the nodes' connections. */
const over = (send: Connection["send"]): Connection => ({ send, close: async () => undefined, cut: () => undefined });

/** Starts at another node each time, and tries the next one if a node does not answer. */
function readAnywhere(nodes: ClusterNodes): Connection["send"] {
  let turn = 0;
  return async (statement, more = {}) => {
    nodes.requireShards();
    const { live } = nodes;
    const start = (turn += 1);
    for (let tried = 1; ; tried += 1) {
      const node = live[(start + tried) % live.length];
      if (node === undefined) throw new StoreError("absent", 0, `no node of the cluster ${nodes.name} answers`);
      try {
        return await nodes.send(node, "connection", statement, more);
      } catch (error) {
        const isAway = error instanceof StoreError && error.kind === "absent";
        if (!isAway || more.signal?.aborted || tried >= live.length) throw error;
      }
    }
  };
}

const writeThrough =
  (nodes: ClusterNodes, node: ClusterNode): Connection["send"] =>
  (statement, more = {}) =>
    nodes.change(node, "connection", statement, { ...more, settings: { ...HERE_ONLY, ...more.settings } });

/** Sends to one replica per shard: the others follow it. */
function changeEachShard(nodes: ClusterNodes): Connection["send"] {
  return async (statement, more = {}) => {
    const sent = nodes.requireShards().map((node) => nodes.change(node, "shard", statement, more));
    for (const each of await Promise.allSettled(sent)) if (each.status === "rejected") throw each.reason;
    return { bytes: Buffer.alloc(0), writtenRows: 0 };
  };
}

import { randomUUID } from "node:crypto";
import type { Connection } from "../connection.ts";
import { StoreError } from "../store-error.ts";
import type { ClusterNode } from "./cluster-node.ts";
import type { ClusterNodes } from "./cluster-nodes.ts";
import { readingRow } from "./cluster-settings.ts";
import { shardDatabase } from "./cluster-place.ts";
import { isPeerLost } from "./peer-lost.ts";
import { qualified } from "./qualified.ts";
import type { ReplicaKeeper } from "./replica-keeper.ts";
import { routeStatement } from "./route-statement.ts";

type Sending = NonNullable<Parameters<Connection["send"]>[1]>;

/** A filter on what a subquery found may read staging tables, which other nodes do not have: it is not handed on. */
const HERE_ONLY = { allow_push_predicate_ast_for_distributed_subqueries: 0 };

/**
 * Writes over the cluster through one of its nodes, which holds the staging tables. What changes stored rows in place
 * goes to every node. Nothing is written while a replica is away: each has every row that is acknowledged.
 */
export function writeCluster(nodes: ClusterNodes, node: ClusterNode, keeper: ReplicaKeeper): Connection {
  const { database } = node.address;
  const settings = { ...readingRow(node.place?.replica ?? 1), ...HERE_ONLY };
  const sendTo = (one: ClusterNode, statement: Parameters<Connection["send"]>[0], more: Sending) => {
    const flight = { nodes: nodes.list, isRepeatable: false, signal: more.signal };
    let mayLeave = true;
    const check = (): void => {
      mayLeave = false;
      more.check?.();
      mayLeave = true;
    };
    return nodes.flights.follow(flight, async (signal) => {
      try {
        const own = { ...more, check, settings: { ...settings, ...more.settings }, signal };
        return await one.connection.send(statement, own);
      } catch (error) {
        // What this process may not send says nothing of the node.
        throw mayLeave ? toAbsent(nodes, one, error, more) : error;
      }
    });
  };
  return {
    send: async (statement, more = {}) => {
      const text = qualified(statement.text, database, nodes.name);
      const route = routeStatement(text, database, shardDatabase(database));
      const targets = route.writes === undefined ? nodes.live : nodes.requireWritable();
      if (route.writes !== undefined) await keeper.settle(route.writes, "newest", more.check);
      const queryId = `almanac-${randomUUID()}`;
      const named = { ...more, settings: { ...more.settings, query_id: queryId } };
      try {
        if (route.to === "one") return await sendTo(node, { ...statement, text }, named);
        const all = await Promise.allSettled(
          targets.map((one, index) => {
            const own = { ...named.settings, query_id: `${queryId}-${index}` };
            return sendTo(one, { ...statement, text: route.text }, { ...named, settings: own });
          }),
        );
        for (const each of all) if (each.status === "rejected") throw each.reason;
        return { bytes: Buffer.alloc(0), writtenRows: 0 };
      } catch (error) {
        if (route.writes !== undefined) keeper.onCutOff(route.writes, queryId);
        throw error;
      }
    },
    // The line owns the nodes' connections.
    close: async () => undefined,
    cut: () => undefined,
  };
}

/** Rows sent along can end too early by themselves; else the numbers of a lost peer say that it is lost. */
function toAbsent(nodes: ClusterNodes, node: ClusterNode, error: unknown, more: Sending): unknown {
  if (!(error instanceof StoreError) || more.signal?.aborted) return error;
  if (error.kind === "absent" && error.number === 0) nodes.fail(node);
  if (error.kind === "cancelled") return new StoreError("absent", 0, `a node fell silent: ${nodes.trouble()}`, error);
  if (more.data === undefined && isPeerLost(error)) {
    void nodes.lookAgain();
    return new StoreError("absent", error.number, error.message, error);
  }
  return error;
}

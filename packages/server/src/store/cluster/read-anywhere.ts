import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "../connection.ts";
import { StoreError } from "../store-error.ts";
import { chooseReader, rowOf } from "./choose-reader.ts";
import type { ClusterNode } from "./cluster-node.ts";
import type { ClusterNodes } from "./cluster-nodes.ts";
import { readingRow } from "./cluster-settings.ts";
import { isPeerLost } from "./peer-lost.ts";
import { qualified } from "./qualified.ts";

const ROUNDS = 3;
const REST_MS = 200;

/**
 * Reads over the cluster: from a node that is there, and at once from another when it or one of those it asks falls
 * silent or away. Throws StoreError "absent" where no nodes together hold every shard.
 */
export function readAnywhere(nodes: ClusterNodes): Connection["send"] {
  let turn = 0;
  return async (statement, more = {}) => {
    const tried = new Map<ClusterNode, number>();
    let last: unknown;
    for (let attempt = 0; attempt < ROUNDS * nodes.list.length; attempt += 1) {
      const node = chooseReader(nodes.list, tried, (turn += 1));
      if (node?.place === undefined) {
        if (attempt >= ROUNDS) break;
        await sleep(REST_MS);
        continue;
      }
      tried.set(node, (tried.get(node) ?? 0) + 1);
      try {
        const settings = { ...readingRow(node.place.replica), ...more.settings };
        const text = qualified(statement.text, node.address.database, nodes.name);
        const flight = { nodes: rowOf(nodes.list, node.place.replica), isRepeatable: true, signal: more.signal };
        return await nodes.flights.follow(flight, (signal) =>
          node.connection.send({ ...statement, text }, { ...more, settings, signal }),
        );
      } catch (error) {
        if (!canRepeat(error) || more.signal?.aborted) throw error;
        last = error;
        await notice(nodes, node, error);
      }
    }
    throw new StoreError("absent", 0, `no replica of each shard answers: ${nodes.trouble() ?? "they fail"}`, last);
  };
}

/** Ended by us because a node fell silent, or by a node that is gone or finds another one gone. */
const canRepeat = (error: unknown): error is StoreError =>
  error instanceof StoreError && (error.kind === "absent" || error.kind === "cancelled" || isPeerLost(error));

async function notice(nodes: ClusterNodes, node: ClusterNode, error: StoreError): Promise<void> {
  if (isPeerLost(error)) await nodes.lookAgain();
  else if (error.kind === "absent") nodes.fail(node);
}

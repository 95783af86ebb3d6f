import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { bind, sql } from "../../definition/sql.ts";
import type { Connection, Reply } from "../connection.ts";
import { toNumbered, type Numbered, StoreError } from "../statement.ts";
import { CLUSTER_SETTINGS, ClusterNode, type ClusterPlace, type NodeLooks, qualified } from "./cluster-node.ts";
import { lookAtNode, placeNodes, type NodeReport } from "./look-at-node.ts";

const LOOKS: NodeLooks = { everyMs: 1_000, silentMs: 5_000 };
/**
 * Read after the end of a connection, socket timeout, network error, shutdown, all attempts failed, no live replica.
 */
const PEER_LOST = new Set([32, 209, 210, 236, 279, 519]);

export type Sending = NonNullable<Parameters<Connection["send"]>[1]>;
type Flight = { readonly node: ClusterNode; readonly controller: AbortController };

/** The nodes of a cluster, each polled every second (`looks`) for whether it is there. */
export class ClusterNodes {
  readonly name: string;
  readonly list: readonly ClusterNode[];
  /** Replicas copy from each other through Keeper; otherwise each shard is one node. */
  readonly isReplicated: boolean;
  readonly #shards: number;
  readonly #looks: NodeLooks;
  readonly #stopping = new AbortController();
  readonly #flights = new Set<Flight>();
  /** Number of the migration that a node must have to be used. */
  #expected = 0;

  private constructor(name: string, list: readonly ClusterNode[], reported: NodeReport, looks: NodeLooks) {
    this.name = name;
    this.list = list;
    this.isReplicated = reported.isReplicated;
    this.#shards = reported.shards;
    this.#looks = looks;
  }

  /** Throws StoreError "absent" if no node answers, Error if the addresses are not those of the cluster. */
  static async open({ cluster, nodes: addresses, ...place }: ClusterPlace): Promise<ClusterNodes> {
    const looks = { ...LOOKS, ...place.looks };
    const list = addresses.map((address) => new ClusterNode(address));
    try {
      const reports = await Promise.all(list.map((node) => firstLook(node, cluster, looks)));
      const reported = reports.find((report) => report !== undefined);
      if (reported === undefined) throw new StoreError("absent", 0, `no node of the cluster ${cluster} answers`);
      placeNodes(cluster, list, reports);
      const nodes = new ClusterNodes(cluster, list, reported, looks);
      for (const node of list) void nodes.#watch(node);
      return nodes;
    } catch (error) {
      await Promise.all(list.map((node) => node.close()));
      throw error;
    }
  }

  /** Ordered by shard, then replica. */
  get inOrder(): readonly ClusterNode[] {
    return this.list.toSorted((a, b) => rankOf(a) - rankOf(b));
  }

  /** The nodes in use, in that order. */
  get live(): readonly ClusterNode[] {
    return this.inOrder.filter(({ isThere, migration }) => isThere && migration >= this.#expected);
  }

  /**
   * Returns one node of each shard. Throws StoreError "absent" otherwise, since part of the rows is no valid answer.
   */
  requireShards(): readonly ClusterNode[] {
    const first = new Map(this.live.toReversed().map((node) => [node.place?.shard, node]));
    if (first.size === this.#shards) return [...first.values()];
    throw new StoreError("absent", 0, `not every shard answers: ${this.trouble()}`);
  }

  /** Names the nodes that are not in use, each with its reason; undefined if there are none. */
  trouble(): string | undefined {
    const live = new Set(this.live);
    const reasons = this.list
      .filter((node) => !live.has(node))
      .map((node) =>
        node.isThere
          ? `${node.name} is at migration ${node.migration} of ${this.#expected}: run 'almanac migrate'`
          : `${node.name} does not answer`,
      );
    return reasons.length === 0 ? undefined : `of the cluster ${this.name}: ${reasons.join("; ")}`;
  }

  /** Nodes that lack migrations are not used from now on, until they have them. */
  async expect(migration: number): Promise<void> {
    this.#expected = migration;
    await Promise.all(this.list.filter(({ isThere }) => isThere).map((node) => this.#look(node)));
  }

  /** Sends to one node, and aborts once a node that the statement needs is away. Throws StoreError "absent" then. */
  async send(node: ClusterNode, at: "connection" | "shard", statement: Numbered, more: Sending = {}): Promise<Reply> {
    this.requireShards();
    const flight = { node, controller: new AbortController() };
    const ending = flight.controller.signal;
    const signal = more.signal === undefined ? ending : AbortSignal.any([ending, more.signal]);
    let isRefused = false;
    const check = (): void => {
      isRefused = true;
      more.check?.();
      isRefused = false;
    };
    const settings = { ...CLUSTER_SETTINGS, ...more.settings };
    const text = qualified(statement.text, node.address.database, this.name);
    this.#flights.add(flight);
    try {
      return await node[at].send({ ...statement, text }, { ...more, check, settings, signal });
    } catch (error) {
      // A statement that this process may not send says nothing about the node.
      if (isRefused || !(error instanceof StoreError) || more.signal?.aborted) throw error;
      throw this.#toAbsent(node, error, more.data !== undefined);
    } finally {
      this.#flights.delete(flight);
    }
  }

  /** Like `send`, for statements that change rows. One that ends early is killed everywhere before the next is sent. */
  async change(node: ClusterNode, at: "connection" | "shard", statement: Numbered, more: Sending = {}): Promise<Reply> {
    await this.#endAbandoned();
    // What cannot be sent runs nowhere: during an outage every attempt would be remembered until it is over.
    this.requireShards();
    const id = `almanac-${randomUUID()}`;
    let isSent = false;
    const check = (): void => {
      more.check?.();
      isSent = true;
    };
    try {
      return await this.send(node, at, statement, { ...more, check, settings: { ...more.settings, query_id: id } });
    } catch (error) {
      if (isSent) for (const each of this.list) each.abandoned.add(id);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.list.map((node) => node.close()));
  }

  async #endAbandoned(): Promise<void> {
    for (const node of this.live) {
      const ids = [...node.abandoned];
      if (ids.length === 0) continue;
      const kill = sql`KILL QUERY WHERE has(${bind("Array(String)", ids)}, initial_query_id) SYNC FORMAT TSV`;
      await this.send(node, "connection", toNumbered(kill));
      for (const id of ids) node.abandoned.delete(id);
    }
  }

  /** A statement that sends rows along can end early by itself; otherwise these error numbers mean a lost peer. */
  #toAbsent(node: ClusterNode, error: StoreError, hasData: boolean): StoreError {
    const isPeerLost = !hasData && PEER_LOST.has(error.number);
    if (error.kind === "absent" && error.number === 0) this.#become(node, false);
    else if (isPeerLost) for (const each of this.list) void this.#look(each);
    else if (error.kind !== "cancelled") return error;
    return new StoreError("absent", error.number, `a node is unavailable: ${this.trouble() ?? error.message}`, error);
  }

  async #watch(node: ClusterNode): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(this.#looks.everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.#look(node);
    }
  }

  async #look(node: ClusterNode): Promise<void> {
    const { signal } = this.#stopping;
    try {
      const inTime = AbortSignal.timeout(this.#looks.silentMs);
      const report = await lookAtNode(node, this.name, AbortSignal.any([signal, inTime]));
      [node.place, node.migration] = [report.place ?? node.place, report.migration];
      this.#become(node, true);
    } catch {
      if (!signal.aborted) this.#become(node, false);
    }
  }

  /** Aborts the statements in progress that need a node that is away: with replicas, only those sent to it. */
  #become(node: ClusterNode, isThere: boolean): void {
    node.isThere = isThere;
    if (isThere) return;
    for (const flight of this.#flights) if (!this.isReplicated || flight.node === node) flight.controller.abort();
  }
}

const rankOf = ({ place }: ClusterNode): number => (place ? place.shard * 1_000 + place.replica : Number.MAX_VALUE);

async function firstLook(node: ClusterNode, cluster: string, { silentMs }: NodeLooks): Promise<NodeReport | undefined> {
  try {
    return await lookAtNode(node, cluster, AbortSignal.timeout(silentMs));
  } catch (error) {
    if (error instanceof StoreError && (error.kind === "absent" || error.kind === "cancelled")) return undefined;
    throw new Error(`${node.name} refuses: ${(error as Error).message.slice(0, 300)}`, { cause: error });
  }
}

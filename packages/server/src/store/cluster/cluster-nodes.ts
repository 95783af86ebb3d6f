import { setTimeout as sleep } from "node:timers/promises";
import { StoreError } from "../store-error.ts";
import { ClusterNode } from "./cluster-node.ts";
import type { ClusterPlace } from "./cluster-place.ts";
import { Flights } from "./flights.ts";
import { lookAtNode, type NodeReport } from "./look-at-node.ts";
import { placeNodes } from "./place-nodes.ts";

const LOOK_EVERY_MS = 1_000;
const LOOK_AGAIN_MS = 250;
const LATE_MS = 1_500;
const AWAY_MS = 5_000;

/** The nodes of a cluster, each asked every second whether it is there. */
export class ClusterNodes {
  readonly name: string;
  readonly list: readonly ClusterNode[];
  readonly flights = new Flights();
  readonly isReplicatedInside: boolean;
  readonly #stopping = new AbortController();
  /** Migrations that a node must have to be asked. */
  #expected = 0;
  #looks = 0;
  /** The newest look that a node answered or failed: what an earlier one saw, and tells later, no longer holds. */
  readonly #newest = new WeakMap<ClusterNode, number>();

  private constructor({ cluster }: ClusterPlace, list: readonly ClusterNode[], isReplicatedInside: boolean) {
    this.name = cluster;
    this.list = list;
    this.isReplicatedInside = isReplicatedInside;
  }

  /** Throws StoreError "absent" where no node answers, Error where the addresses are not those of the cluster. */
  static async open(place: ClusterPlace): Promise<ClusterNodes> {
    const list = place.nodes.map((address) => new ClusterNode(address));
    try {
      const reports = await Promise.all(list.map((node) => firstLook(node, place.cluster)));
      const isReplicatedInside = placeNodes(place.cluster, list, reports);
      const nodes = new ClusterNodes(place, list, isReplicatedInside);
      for (const node of list) void nodes.#watch(node);
      return nodes;
    } catch (error) {
      await Promise.all(list.map((node) => node.close()));
      throw error;
    }
  }

  /** Those that lack migrations are asked nothing from now on, until they have them. */
  async expect(migration: number): Promise<void> {
    this.#expected = migration;
    await Promise.all(this.list.filter(({ state }) => state !== "away").map((node) => this.#look(node)));
  }

  get live(): readonly ClusterNode[] {
    return this.list.filter((node) => node.isUsable);
  }

  /** Those that are not asked, each with its reason; undefined where there are none. */
  trouble(): string | undefined {
    const reasons = this.list
      .filter((node) => !node.isUsable)
      .map((node) =>
        node.state === "behind"
          ? `${node.name} is at migration ${node.migration} of ${this.#expected}: run 'almanac migrate'`
          : `${node.name} does not answer`,
      );
    return reasons.length === 0 ? undefined : `of the cluster ${this.name}: ${reasons.join("; ")}`;
  }

  /** The nodes that a write goes to: every one, or one a shard where replicas copy from each other. Throws "absent". */
  requireWritable(): readonly ClusterNode[] {
    const live = this.live;
    if (!this.isReplicatedInside) {
      if (live.length === this.list.length) return live;
      throw new StoreError("absent", 0, `rows are written when every replica is there: ${this.trouble()}`);
    }
    const shards = new Set(this.list.map(({ place }) => place?.shard));
    return [...shards].map((shard) => {
      const one = live.find(({ place }) => place?.shard === shard);
      if (one) return one;
      throw new StoreError("absent", 0, `no replica of shard ${shard} answers: ${this.trouble()}`);
    });
  }

  /** A statement found it gone: it is asked nothing until it answers. */
  fail(node: ClusterNode): void {
    if (node.state === "away") return;
    node.isRefusing = true;
    this.#become(node, "away");
  }

  /** Looks at all of them now: a node said that one of the others does not answer it. */
  async lookAgain(): Promise<void> {
    await Promise.race([
      Promise.all(this.list.map((node) => this.#look(node))),
      sleep(LATE_MS, undefined, { ref: false }),
    ]);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    for (const node of this.list) if (node.state === "away") node.cut();
    await Promise.all(this.list.filter(({ state }) => state !== "away").map((node) => node.close()));
  }

  async #watch(node: ClusterNode): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const wait = node.state === "away" && node.isRefusing ? LOOK_AGAIN_MS : LOOK_EVERY_MS;
      await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.#look(node);
    }
  }

  async #look(node: ClusterNode): Promise<void> {
    const number = ++this.#looks;
    const isOutdated = (): boolean => number < (this.#newest.get(node) ?? 0);
    const late = setTimeout(() => !isOutdated() && node.state === "live" && this.#become(node, "late"), LATE_MS);
    late.unref();
    const ending = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(AWAY_MS)]);
    try {
      const report = await lookAtNode(node, this.name, ending);
      if (isOutdated()) return;
      this.#newest.set(node, number);
      node.place = report.place ?? node.place;
      node.migration = report.migration;
      node.isRefusing = false;
      this.#become(node, report.migration < this.#expected ? "behind" : "live");
    } catch (error) {
      if (this.#stopping.signal.aborted || isOutdated()) return;
      this.#newest.set(node, number);
      node.isRefusing = error instanceof StoreError && error.kind === "absent";
      this.#become(node, "away");
    } finally {
      clearTimeout(late);
    }
  }

  #become(node: ClusterNode, state: ClusterNode["state"]): void {
    node.state = state;
    if (state === "late" || state === "away") this.flights.endWith(node, state === "away");
  }
}

async function firstLook(node: ClusterNode, cluster: string): Promise<NodeReport | undefined> {
  try {
    return await lookAtNode(node, cluster, AbortSignal.timeout(AWAY_MS));
  } catch (error) {
    if (error instanceof StoreError && (error.kind === "absent" || error.kind === "cancelled")) {
      node.isRefusing = error.kind === "absent";
      return undefined;
    }
    throw new Error(`${node.name} refuses: ${(error as Error).message.slice(0, 300)}`, { cause: error });
  }
}

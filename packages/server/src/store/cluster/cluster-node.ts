import { connect, type Address, type Connection } from "../connection.ts";
import { shardDatabase } from "./cluster-place.ts";

/**
 * `live` answers; `late` has not answered for a moment; `away` is known not to answer; `behind` answers and lacks
 * migrations that others have, or rows: a new or emptied disk.
 */
export type NodeState = "live" | "late" | "away" | "behind";

/** Where a node is in the cluster, as it says itself. From 1. */
export type NodePlace = { readonly shard: number; readonly replica: number };

export class ClusterNode {
  readonly address: Address;
  /** With the database that is asked. */
  readonly connection: Connection;
  /** With the database of the rows. */
  readonly shard: Connection;
  /** Before it has either. */
  readonly bare: Connection;
  place: NodePlace | undefined;
  state: NodeState = "away";
  /** Whether it refused or cut connections, which other nodes notice at once, and not only kept silent. */
  isRefusing = false;
  /** Newest migration that it has. */
  migration = 0;

  constructor(address: Address) {
    this.address = address;
    this.connection = connect(address);
    this.shard = connect({ ...address, database: shardDatabase(address.database) });
    this.bare = connect({ ...address, database: "system" });
  }

  get isUsable(): boolean {
    return this.place !== undefined && this.state === "live";
  }

  /** For the log and the operator: never with a password. */
  get name(): string {
    const place = this.place ? ` (shard ${this.place.shard}, replica ${this.place.replica})` : "";
    return `${this.address.url}${place}`;
  }

  async close(): Promise<void> {
    await Promise.all([this.connection.close(), this.shard.close(), this.bare.close()]);
  }

  /** Ends what is under way with it at once. */
  cut(): void {
    this.connection.cut();
    this.shard.cut();
    this.bare.cut();
  }
}

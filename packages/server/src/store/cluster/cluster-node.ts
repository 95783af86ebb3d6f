import { connect, type Address, type Connection } from "../connection.ts";
import { shardDatabase } from "./cluster-place.ts";

/** Where a node is in the cluster, as it says itself. From 1. */
export type NodePlace = { readonly shard: number; readonly replica: number };

export class ClusterNode {
  readonly address: Address;
  /** With the database that is asked: `Distributed` tables, dictionaries, what is staged. */
  readonly connection: Connection;
  /** With the database of the shard's own rows. */
  readonly shard: Connection;
  /** Before it has either. */
  readonly bare: Connection;
  /** Known once it answered. */
  place: NodePlace | undefined;
  isThere = false;
  /** Newest migration that it has. */
  migration = 0;
  /** Statements that ended early for us: it may be in the middle of them still. */
  readonly abandoned = new Set<string>();

  constructor(address: Address) {
    this.address = address;
    this.connection = connect(address);
    this.shard = connect({ ...address, database: shardDatabase(address.database) });
    this.bare = connect({ ...address, database: "system" });
  }

  /** For the log and the operator: never with a password. */
  get name(): string {
    const place = this.place ? ` (shard ${this.place.shard}, replica ${this.place.replica})` : "";
    return `${this.address.url}${place}`;
  }

  async close(): Promise<void> {
    if (this.isThere) await Promise.all([this.connection.close(), this.shard.close(), this.bare.close()]);
    else for (const each of [this.connection, this.shard, this.bare]) each.cut();
  }
}

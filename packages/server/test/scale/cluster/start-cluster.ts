import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../fixtures/free-port.ts";
import { layMigratedEngine } from "../../fixtures/open-migrated-store.ts";
import { openTcpProxy, type TcpProxy } from "../net/tcp-proxy.ts";
import { defineNode, type ClusterNode, type NodePlace } from "./start-node.ts";

const NAME = "almanac";
const USER = "almanac";
const DATABASE = "almanac";

export type TestCluster = {
  /** The value of CLICKHOUSE_CLUSTER. */
  readonly name: string;
  /** The value of CLICKHOUSE_URL: every node's address with user, password and database, separated by commas. */
  readonly url: string;
  /** Ordered by shard, then replica. */
  readonly nodes: readonly ClusterNode[];
  /** Kills every node and removes their folders. */
  readonly stop: () => Promise<void>;
};

export type ClusterShape = {
  readonly shards: number;
  readonly replicas: number;
  /** Whether the servers claim to replicate between replicas, which they cannot do here. */
  readonly isReplicated?: boolean;
  /**
   * The port on which other nodes reach a node: that of a proxy that never resets, since this build exits if a peer
   * that it waits for resets the connection, as one killed with unread bytes does. By default the cluster opens its own
   * proxies.
   */
  readonly reachedBy?: (node: { shard: number; replica: number; tcpPort: number }) => Promise<number>;
};

/**
 * Starts real ClickHouse servers from the embedded engine's library, all at once, on different free loopback ports. One
 * shard with one replica is "one ClickHouse server", whose tables exist, so `migrate` only has its dictionary read as its
 * user; a larger cluster is not migrated.
 */
export async function startCluster({
  shards,
  replicas,
  isReplicated = false,
  reachedBy,
}: ClusterShape): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), "almanac-cluster-"));
  const password = randomBytes(12).toString("hex");
  const ports = await differentPorts(shards * replicas * 2);
  const places = Array.from({ length: shards * replicas }, (_, index): NodePlace => {
    const [shard, replica] = [Math.floor(index / replicas) + 1, (index % replicas) + 1];
    const url = `http://127.0.0.1:${ports[index * 2]}`;
    return {
      shard,
      replica,
      folder: join(folder, `${shard}-${replica}`),
      tcpPort: ports[index * 2 + 1] ?? 0,
      address: { url, user: USER, password, database: DATABASE },
    };
  });
  if (shards * replicas === 1) await layMigratedEngine(join(folder, "1-1"));
  const proxies: TcpProxy[] = [];
  const openOwn = async ({ tcpPort }: NodePlace): Promise<number> => {
    const proxy = await openTcpProxy({ port: tcpPort, neverResets: true });
    proxies.push(proxy);
    return proxy.port;
  };
  const reached = await Promise.all(places.map(reachedBy ?? openOwn));
  const nodes = places.map((place, own) =>
    defineNode(
      place,
      clusterXml(
        places,
        places.map(({ tcpPort }, index) => (index === own ? tcpPort : (reached[index] ?? 0))),
        place,
        isReplicated,
      ),
    ),
  );
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()));
    await Promise.all(proxies.map((proxy) => proxy.close()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(nodes.map((node) => node.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return { name: NAME, url: nodes.map(({ address }) => urlOf(address)).join(","), nodes, stop };
}

function urlOf({ url, user, password, database }: ClusterNode["address"]): string {
  const whole = new URL(url);
  [whole.username, whole.password, whole.pathname] = [user, password, database];
  return whole.toString();
}

async function differentPorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

function clusterXml(
  places: readonly NodePlace[],
  ports: readonly number[],
  own: NodePlace,
  isReplicated: boolean,
): string {
  const shards = [...new Set(places.map(({ shard }) => shard))].map((shard) => {
    const replicas = places.flatMap((place, index) =>
      place.shard === shard
        ? `<replica><host>127.0.0.1</host><port>${ports[index]}</port><user>${USER}</user><password>${place.address.password}</password></replica>`
        : [],
    );
    return `<shard><internal_replication>${isReplicated}</internal_replication>${replicas.join("")}</shard>`;
  });
  return `  <remote_servers replace="1"><${NAME}>${shards.join("")}</${NAME}></remote_servers>
  <macros><shard>${own.shard}</shard><replica>${own.replica}</replica></macros>
  <storage_configuration>
    <disks><slow><type>local</type><path>${own.folder}/slow/</path></slow></disks>
    <policies><tiered><volumes>
      <default><disk>default</disk></default>
      <cold><disk>slow</disk></cold>
    </volumes></tiered></policies>
  </storage_configuration>
  <background_distributed_schedule_pool_size>2</background_distributed_schedule_pool_size>
  <background_message_broker_schedule_pool_size>1</background_message_broker_schedule_pool_size>
  <background_buffer_flush_schedule_pool_size>1</background_buffer_flush_schedule_pool_size>
`;
}

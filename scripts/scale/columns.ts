import { openStore, type OpenStore } from "../../packages/server/src/store/open-store.ts";
import { startCluster, type TestCluster } from "../../packages/server/test/scale/cluster/start-cluster.ts";
import type { Links } from "./links.ts";
import type { Part } from "./part.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";
import type { TopologyOptions } from "./topology-options.ts";

/** ClickHouse: one server, or a cluster. */
export type Columns = {
  /** Named columns-SHARD-REPLICA. */
  readonly nodes: readonly Part[];
  readonly disks: ReadonlyMap<string, SmallDisk>;
  /** CLICKHOUSE_… of one process, by links of its own. */
  readonly settingsOf: (name: string) => Promise<Record<string, string>>;
  /** A second way to the rows, by no link. */
  readonly open: () => Promise<OpenStore>;
  readonly close: () => Promise<void>;
};

export async function openColumns(options: TopologyOptions, links: Links): Promise<Columns> {
  const { shards, replicas, diskMegabytes } = options;
  const isCluster = shards * replicas > 1;
  const cluster = await startCluster({
    shards,
    replicas,
    ...(isCluster && {
      reachedBy: ({ shard, replica, tcpPort }) => links.open("columns-any", nameOf({ shard, replica }), tcpPort, true),
    }),
  });
  const disks = await putSmallDisk(cluster, diskMegabytes);
  return {
    nodes: cluster.nodes.map((node) => ({
      name: nameOf(node),
      kill: node.kill,
      start: node.start,
      freeze: node.pause,
      thaw: node.resume,
    })),
    disks,
    settingsOf: async (name) => {
      const urls = await Promise.all(
        cluster.nodes.map((node, place) =>
          links.openUrl(name, nameOf(node), cluster.url.split(",")[place] ?? node.httpUrl),
        ),
      );
      return { CLICKHOUSE_URL: urls.join(","), ...(isCluster && { CLICKHOUSE_CLUSTER: cluster.name }) };
    },
    open: () => openBeside(cluster),
    close: async () => {
      await Promise.all(cluster.nodes.map((node) => node.kill()));
      for (const disk of disks.values()) disk.remove();
      await cluster.stop();
    },
  };
}

const nameOf = ({ shard, replica }: { shard: number; replica: number }): string => `columns-${shard}-${replica}`;

/** Under the first node, before anything is on it. */
async function putSmallDisk({ nodes }: TestCluster, megabytes: number): Promise<Map<string, SmallDisk>> {
  const [first] = nodes;
  const disks = new Map<string, SmallDisk>();
  if (megabytes === 0 || first === undefined) return disks;
  await first.kill();
  const disk = mountSmallDisk(first.folder, megabytes);
  if (disk !== undefined) disks.set(nameOf(first), disk);
  await first.start();
  return disks;
}

function openBeside({ name, nodes }: TestCluster): Promise<OpenStore> {
  const [first, ...more] = nodes.map(({ address }) => address);
  if (first === undefined) throw new Error("there is no ClickHouse node");
  return more.length === 0 ? openStore({ address: first }) : openStore({ cluster: name, nodes: [first, ...more] });
}

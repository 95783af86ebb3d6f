import type { ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Address } from "../../../src/store/connection.ts";
import { nodeXml, usersXml } from "../../../src/store/embedded/engine-config.ts";
import { hasEnded, launchEngine } from "../../../src/store/embedded/launch-engine.ts";

const MEMORY_BYTES = 2_000_000_000;
const CACHE_BYTES = 67_108_864;
/**
 * For dictionaries read in the background, where no statement of ours can set anything; hedged reads end this build.
 */
const PROFILE = "<use_hedged_requests>0</use_hedged_requests>";

/** A real ClickHouse server of a cluster, as a process on loopback. */
export type ClusterNode = {
  /** Starts at 1, as in system.clusters. */
  readonly shard: number;
  readonly replica: number;
  readonly httpUrl: string;
  /** The argument of `connect`, with user, password and database. */
  readonly address: Address;
  readonly tcpPort: number;
  /** The folder of all its data; `columns/` inside contains the rows. */
  readonly folder: string;
  readonly pid: () => number | undefined;
  /** Kills it at once, like a power loss; resolves when it is gone. */
  readonly kill: () => Promise<void>;
  /** Pauses it: connections stay open and nothing is answered. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Starts it again on the same folder and ports; does nothing if it runs. */
  readonly start: () => Promise<void>;
};

export type NodePlace = Pick<ClusterNode, "shard" | "replica" | "tcpPort" | "folder" | "address">;

/** Defines a node without starting it; `more` contains the cluster settings of its server. */
export function defineNode(place: NodePlace, more: string): ClusterNode {
  const { folder, address, tcpPort } = place;
  mkdirSync(folder, { recursive: true });
  const configFile = join(folder, "node.xml");
  const usersFile = join(folder, "users.xml");
  const config = {
    password: address.password,
    usersFile,
    logFile: join(folder, "engine.log"),
    memoryBytes: MEMORY_BYTES,
    cacheBytes: CACHE_BYTES,
    mergers: 2,
    more,
    profile: PROFILE,
  };
  writeFileSync(configFile, nodeXml(config));
  writeFileSync(usersFile, usersXml(config));
  let child: ChildProcess | undefined;
  return {
    ...place,
    httpUrl: address.url,
    pid: () => child?.pid,
    kill: async () => {
      if (child === undefined || hasEnded(child)) return;
      const ended = new Promise((resolve) => child?.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    },
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    start: async () => {
      if (child !== undefined && !hasEnded(child)) return;
      child = await launchEngine({ configFile, columns: join(folder, "columns"), address, tcpPort });
    },
  };
}

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { serveExchange, type ServedExchange } from "../../packages/exchange/src/serve.ts";
import { openRecords, type Records } from "../../packages/server/src/records/records.ts";
import { startRedis } from "../../packages/server/test/access/start-redis.ts";
import { freePort } from "../../packages/server/test/fixtures/free-port.ts";
import { findPostgres, startPostgres } from "../../packages/server/test/records/start-postgres.ts";
import { openColumns, type Columns } from "./columns.ts";
import { isMeant, Links } from "./links.ts";
import { makeScaleKeys, type ScaleKeys } from "./make-scale-keys.ts";
import type { Part } from "./part.ts";
import { servicePart, type ServicePart } from "./service-part.ts";
import { serviceSettings } from "./service-settings.ts";
import type { SmallDisk } from "./small-disk.ts";
import type { TopologyOptions } from "./topology-options.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The past is asked for from before the world began. */
const HISTORY = "2h";

export type Topology = {
  readonly options: TopologyOptions;
  readonly exchange: ServedExchange;
  readonly links: Links;
  readonly columns: Columns;
  /** A way to the records that no fault of a link touches. */
  readonly records: Records;
  readonly keys: ScaleKeys;
  readonly apis: readonly ServicePart[];
  readonly services: readonly ServicePart[];
  readonly disks: ReadonlyMap<string, SmallDisk>;
  /** Parts by name, or by the beginning of one and a *. Throws where there is none. */
  readonly partsOf: (name: string) => readonly Part[];
  readonly close: () => Promise<void>;
};

/**
 * The service as an operator runs it on many machines, from processes on loopback: ClickHouse, PostgreSQL, Redis, api,
 * ingest and derive processes, and the paper exchanges; every connection between two of them through a proxy of ours.
 * The world stands still.
 */
export async function openTopology(options: TopologyOptions): Promise<Topology> {
  mkdirSync(options.folder, { recursive: true });
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let end = closing.pop(); end; end = closing.pop()) await end();
  };
  try {
    return await build(options, closing, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(
  options: TopologyOptions,
  closing: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<Topology> {
  const links = new Links();
  closing.push(() => links.close());
  const exchange = await serveWorld(options);
  closing.push(() => exchange.close());
  const columns = await openColumns(options, links);
  closing.push(columns.close);
  const found = findPostgres();
  if ("reason" in found) throw new Error(`the topology needs PostgreSQL: ${found.reason}`);
  const postgres = await startPostgres(found.bin);
  closing.push(postgres.stop);
  const redis = await startRedis();
  closing.push(redis.stop);
  const databaseUrl = await postgres.newDatabase();
  const records = await openRecords({ url: databaseUrl });
  closing.push(records.close);
  const keys = await makeScaleKeys(records);
  const backends: readonly Part[] = [
    { name: "records", kill: postgres.down, start: postgres.up },
    { name: "redis", kill: redis.down, start: redis.up, freeze: redis.freeze, thaw: redis.thaw },
    ...columns.nodes,
  ];
  const addresses = { databaseUrl, redisUrl: redis.url, columns, urls: exchange.urls };
  const services = await startServices(options, links, addresses, closing);
  return {
    options,
    exchange,
    links,
    columns,
    records,
    keys,
    services,
    apis: services.filter(({ name }) => name.startsWith("api-")),
    disks: columns.disks,
    partsOf: (name) => {
      const parts = [...services, ...backends].filter((part) => isMeant(name, part.name));
      if (parts.length === 0) throw new Error(`there is no part ${name}`);
      return parts;
    },
    close,
  };
}

function serveWorld({ seed, activity, minutes, events, wallets, kalshiMarkets }: TopologyOptions) {
  const pastMs = minutes * MINUTE_MS;
  return serveExchange({
    seed,
    speed: 0,
    from_ms: Date.now() - pastMs,
    days: pastMs / DAY_MS,
    world: { activity, events, wallets, kalshi_markets: kalshiMarkets, kalshi_cutoff_ms: pastMs / 3 },
  });
}

type Addresses = Parameters<typeof serviceSettings>[2];

async function startServices(
  { apis, ingests, derives, leaseSeconds, folder }: TopologyOptions,
  links: Links,
  addresses: Addresses,
  closing: (() => Promise<unknown>)[],
): Promise<ServicePart[]> {
  const counts = { ingest: ingests, derive: derives, api: apis };
  const services: ServicePart[] = [];
  closing.push(() => Promise.all(services.map((service) => service.stop())));
  for (const [role, count] of Object.entries(counts)) {
    for (let number = 1; number <= count; number += 1) {
      const name = `${role}-${number}`;
      const service = servicePart({
        name,
        port: await freePort(),
        environment: {
          ...(await serviceSettings(name, links, addresses)),
          // Where no process only derives, those that gather do it too.
          ALMANAC_ROLE: role === "ingest" && derives === 0 ? "all" : role,
          LEASE_SECONDS: String(leaseSeconds),
          ALMANAC_DATA_DIR: join(folder, "data"),
        },
        arguments: role === "ingest" ? ["--history", HISTORY] : [],
        logFile: join(folder, `${name}.log`),
      });
      services.push(service);
    }
  }
  // The first migrates; the others find it done.
  await services[0]?.start();
  await Promise.all(services.slice(1).map((service) => service.start()));
  return services;
}

import Fastify, { type FastifyInstance, type FastifyPluginAsync } from "fastify";
import type { World } from "../world/world.ts";
import type { ReorgShares } from "./chain/block-members.ts";
import { markDropped, reorgChain, type ReorgChain } from "./chain/reorg-chain.ts";
import { clobEndpoint } from "./clob-endpoint.ts";
import { refuseData } from "./data/data-error.ts";
import { dataApiEndpoint, type DataApiOptions } from "./data-api-endpoint.ts";
import { documentedLimits, type LimitedHost, installLimits, refuseAtEdge } from "./request-limits.ts";
import { gammaEndpoint } from "./gamma-endpoint.ts";
import { mountSocket } from "../mount-socket.ts";
import { polygonRpcEndpoint, type PolygonRpcOptions } from "./polygon-rpc-endpoint.ts";
import { rtdsSocket, type RtdsOptions } from "./rtds/rtds-socket.ts";
import { marketSocket, type MarketSocketOptions } from "./socket/market-socket.ts";

/** The simulated hosts of Polymarket and Polygon. */
type PolymarketHost = "gamma" | "clob" | "data" | "ws" | "rtds" | "rpc";

/** Options of the served hosts. */
export interface ServePolymarketOptions {
  world: World;
  /** Address to listen on; default 127.0.0.1. */
  host?: string;
  /** Port of each host; 0 or absent takes a free one. */
  ports?: Partial<Record<PolymarketHost, number>>;
  /** Factor applied to the documented request limits; absent: no limits. */
  rate_limit_scale?: number;
  /** Wall clock used by the limits. */
  wall?: () => number;
  data?: DataApiOptions;
  socket?: MarketSocketOptions;
  rtds?: RtdsOptions;
  rpc?: PolygonRpcOptions;
  /** Called with each app before its routes are mounted, to install faults or recordings. */
  prepare?: (name: PolymarketHost, app: FastifyInstance) => void;
}

/** Addresses of the hosts: `http://…`, and for `ws` and `rtds` the socket's address with its path. */
export interface ServedPolymarket {
  urls: Record<PolymarketHost, string>;
  /** Replaces the newest blocks of the Polygon node, 1 to 32 deep; returns how many. */
  reorg(depth: number, shares?: ReorgShares): number;
  /** The chain as the node sees it. */
  chain: ReorgChain;
  close(): Promise<void>;
}

/** Starts one server per host. The caller advances the world. */
export async function servePolymarket(options: ServePolymarketOptions): Promise<ServedPolymarket> {
  const { world } = options;
  const chain = reorgChain(world.chain);
  chain.onReorg((left) => markDropped(world.polymarket.matches, chain, left));
  const endpoints: Record<PolymarketHost, FastifyPluginAsync> = {
    gamma: gammaEndpoint(world),
    clob: clobEndpoint(world),
    data: dataApiEndpoint(world, options.data),
    ws: async (app) => mountSocket(app, "/ws/market", marketSocket(world, options.socket)),
    rtds: async (app) =>
      mountSocket(app, "/", rtdsSocket(world, { ...(options.wall && { wall: options.wall }), ...options.rtds })),
    rpc: polygonRpcEndpoint(chain, options.rpc),
  };
  const names = Object.keys(endpoints) as PolymarketHost[];
  const started = await Promise.all(names.map((name) => start(name, endpoints[name], options)));
  const urls = Object.fromEntries(started.map(({ name, url }) => [name, addressOf(name, url)]));
  return {
    urls: urls as Record<PolymarketHost, string>,
    reorg: (depth, shares) => chain.reorg(depth, shares).length,
    chain,
    close: async () => void (await Promise.all(started.map(({ app }) => app.close()))),
  };
}

function addressOf(name: PolymarketHost, url: string): string {
  if (name === "ws") return `${url.replace("http", "ws")}/ws/market`;
  return name === "rtds" ? url.replace("http", "ws") : url;
}

interface Started {
  name: PolymarketHost;
  app: FastifyInstance;
  url: string;
}

async function start(
  name: PolymarketHost,
  endpoint: FastifyPluginAsync,
  options: ServePolymarketOptions,
): Promise<Started> {
  const app = Fastify({
    bodyLimit: 4 * 1024 * 1024,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 256 },
  });
  options.prepare?.(name, app);
  const scale = options.rate_limit_scale;
  if (scale !== undefined && (name === "gamma" || name === "clob" || name === "data"))
    limit(app, name, scale, options.wall ?? Date.now);
  await app.register(endpoint);
  const url = await app.listen({ host: options.host ?? "127.0.0.1", port: options.ports?.[name] ?? 0 });
  return { name, app, url };
}

function limit(app: FastifyInstance, name: LimitedHost, scale: number, wall: () => number): void {
  installLimits(app, {
    rules: documentedLimits(name, scale),
    wall,
    refuse: (reply, seconds) =>
      name === "data"
        ? refuseData(reply.header("retry-after", String(seconds)), {
            code: "rate_limited",
            error: "rate limited",
            parameter: "",
          })
        : refuseAtEdge(reply),
  });
}

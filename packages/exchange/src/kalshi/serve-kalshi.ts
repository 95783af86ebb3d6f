import type { KeyObject } from "node:crypto";
import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { mountSocket } from "../mount-socket.ts";
import type { World } from "../world/world.ts";
import { type DemoKey, ReadBudget, type ReadLimits, verifySignature } from "./access/api-access.ts";
import type { KalshiContext } from "./tiers.ts";
import { KalshiError, UNSIGNED } from "./kalshi-error.ts";
import { addCandleRoutes } from "./rest/add-candle-routes.ts";
import { addMarketRoutes } from "./rest/add-market-routes.ts";
import { addTradeRoutes } from "./rest/add-trade-routes.ts";
import { kalshiSocket } from "./socket/kalshi-socket.ts";

const READ_COST = 10;
const OVERLAP_MS = 3_600_000;
const HEARTBEAT_MS = 10_000;

export interface ServeKalshiOptions {
  world: World;
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Keys that may open the websocket. */
  keys: readonly DemoKey[];
  /** Without it no request is ever rejected with 429. */
  limits?: ReadLimits | undefined;
  /** Width of the window below the cutoff in which both tiers answer, ms; default one hour. */
  overlap_ms?: number;
  /** Real time, ms. */
  wall: () => number;
  /** Interval between websocket pings, ms; default 10,000. */
  heartbeat_ms?: number;
  /** Called with the app before its routes are added, to install faults or recordings. */
  prepare?: ((app: FastifyInstance) => void) | undefined;
}

interface KalshiEndpoint {
  /** Root URL of the REST API, including its path. */
  kalshi_url: string;
  kalshi_ws_url: string;
  close(): Promise<void>;
}

/** Kalshi's REST v2 and websocket v2 on one loopback port. */
export async function serveKalshi(options: ServeKalshiOptions): Promise<KalshiEndpoint> {
  const context: KalshiContext = { world: options.world, overlap_ms: options.overlap_ms ?? OVERLAP_MS };
  const keys = new Map(options.keys.map((key) => [key.key_id, key.public_key]));
  const app = fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 200 } });
  addErrors(app);
  addAccess(app, keys, options);
  options.prepare?.(app);
  await app.register(
    (api, _options, done) => {
      addMarketRoutes(api, context);
      addTradeRoutes(api, context);
      addCandleRoutes(api, context);
      done();
    },
    { prefix: "/trade-api/v2" },
  );
  const { heartbeat_ms = HEARTBEAT_MS, wall } = options;
  mountSocket(app, "/trade-api/ws/v2", kalshiSocket({ context, keys, wall, heartbeat_ms }));
  await app.listen({ host: options.host, port: options.port });
  const { port } = app.server.address() as AddressInfo;
  return {
    kalshi_url: `http://${options.host}:${port}/trade-api/v2`,
    kalshi_ws_url: `ws://${options.host}:${port}/trade-api/ws/v2`,
    close: async () => app.close(),
  };
}

function addErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof KalshiError) return reply.code(error.status).send(error.body());
    return reply.code(500).send({ error: { code: "internal_server_error", message: "internal server error" } });
  });
  app.setNotFoundHandler((_request, reply) => {
    void reply.code(404).send({ error: { code: "not_found", message: "not found" } });
  });
}

/** Market data needs no key, but a key that is sent must be valid. One bucket per key, else one per address. */
function addAccess(app: FastifyInstance, keys: ReadonlyMap<string, KeyObject>, options: ServeKalshiOptions): void {
  const budget = options.limits && new ReadBudget(options.limits, options.wall);
  let refused = 0;
  app.addHook("onRequest", (request, reply, done) => {
    const shown = request.headers["kalshi-access-key"] !== undefined;
    const signed = { method: request.method, url: request.url, headers: request.headers };
    const key = shown ? verifySignature(signed, keys, options.wall()) : undefined;
    if (shown && key === undefined) return done(UNSIGNED);
    if (budget && !budget.take(key ?? request.ip, READ_COST)) {
      refused += 1;
      // Both bodies occur on the real exchange; neither comes with Retry-After.
      void reply.code(429).send(refused % 2 === 1 ? { error: "too many requests" } : tooMany());
      return;
    }
    done();
  });
}

function tooMany() {
  return { error: { code: "too_many_requests", message: "too many requests" } };
}

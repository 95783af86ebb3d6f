import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { makeDemoKey, type DemoKey } from "./kalshi/access/api-access.ts";
import { serveKalshi } from "./kalshi/serve-kalshi.ts";
import { Faults } from "./faults/faults.ts";
import { PaperClock } from "./control/paper-clock.ts";
import { serveControl } from "./control/serve-control.ts";
import { servePolymarket, type ServedPolymarket } from "./polymarket/serve-polymarket.ts";
import { serveJetstream } from "./social/jetstream/jetstream-socket.ts";
import { serveSocial, type ServedSocial } from "./social/serve-social.ts";
import { createWorld } from "./world/create-world.ts";
import type { ExchangeUrls, ServeOptions } from "./serve-options.ts";
import type { World } from "./world/world.ts";

const DAY_MS = 86_400_000;
/** Interval for advancing the world, real ms. */
const STEP_MS = 50;
/** Read budget of Kalshi's lowest tier. */
const BASIC_LIMITS = { tokens_per_second: 200, burst_seconds: 3 };

export interface ServedExchange {
  urls: ExchangeUrls;
  world: World;
  clock: PaperClock;
  faults: Faults;
  close(): Promise<void>;
}

/** Creates a world and opens all of its endpoints on loopback. Resolves when all of them listen. */
export async function serveExchange(options: ServeOptions = {}): Promise<ServedExchange> {
  const wall = options.wall ?? Date.now;
  const clock = clockOf(options, wall);
  const world = worldOf(options, clock);
  const key = options.key ?? makeDemoKey();
  const endpoints = new Endpoints();
  const faults = new Faults(wall);
  try {
    const urls = await openEndpoints({ ...options, wall }, { world, clock, key, faults }, endpoints);
    endpoints.add({ close: async () => faults.close() });
    if (options.faults !== undefined) faults.set(options.faults);
    // Start the clock only now: building a long history may take seconds, which at speed would be hours.
    clock.setSpeed(options.speed ?? 60);
    const step = setInterval(() => world.advanceTo(clock.now()), STEP_MS);
    endpoints.add({ close: async () => clearInterval(step) });
    return { urls, world, clock, faults, close: () => endpoints.close() };
  } catch (error) {
    await endpoints.close();
    throw error;
  }
}

type Walled = ServeOptions & { wall: () => number };

interface Parts {
  world: World;
  clock: PaperClock;
  key: DemoKey;
  faults: Faults;
}

async function openEndpoints(
  options: Walled,
  { world, clock, key, faults }: Parts,
  endpoints: Endpoints,
): Promise<ExchangeUrls> {
  const { wall, ports = {}, host = "127.0.0.1" } = options;
  const polymarket = endpoints.add(
    await servePolymarket({
      world,
      host,
      ports,
      ...(options.limits && { rate_limit_scale: 1 }),
      wall,
      rpc: { alter_methods: faults.methods },
      prepare: (name, app) => faults.prepare(name, app),
    }),
  );
  const kalshi = endpoints.add(
    await serveKalshi({
      world,
      host,
      port: ports.kalshi ?? 0,
      keys: [key],
      limits: options.limits ? BASIC_LIMITS : undefined,
      wall,
      prepare: (app) => faults.prepare("kalshi", app, "kalshi_ws"),
    }),
  );
  const social = endpoints.add(await openSocial(options, { world, faults }));
  const prepare = (app: FastifyInstance): void => faults.prepare("jetstream", app);
  const jetstream = endpoints.add(await serveJetstream({ world, host, port: ports.jetstream, prepare }));
  faults.reorgBy(polymarket.reorg);
  const { reorg, chain } = polymarket;
  const x_usage = () => social.meter.usage();
  const control = endpoints.add(
    await serveControl({ world, clock, faults, reorg, chain, x_usage, host, port: ports.control ?? 0 }),
  );
  return urlsOf(polymarket.urls, kalshi, { ...social, ...jetstream }, control, key);
}

function openSocial(
  { host, ports = {}, limits, wall, x_bearer_token = randomBytes(48).toString("base64url") }: Walled,
  { world, faults }: Pick<Parts, "world" | "faults">,
): Promise<ServedSocial> {
  const prepare = faults.prepare.bind(faults);
  return serveSocial({ world, ...(host !== undefined && { host }), ports, x_bearer_token, limits, wall, prepare });
}

function urlsOf(
  polymarket: ServedPolymarket["urls"],
  { kalshi_url, kalshi_ws_url }: { kalshi_url: string; kalshi_ws_url: string },
  { hn_url, gdelt_url, x_url, x_bearer_token, jetstream_url }: ServedSocial & { jetstream_url: string },
  { control_url }: { control_url: string },
  key: DemoKey,
): ExchangeUrls {
  return {
    gamma_url: polymarket.gamma,
    clob_url: polymarket.clob,
    data_url: polymarket.data,
    ws_url: polymarket.ws,
    rtds_url: polymarket.rtds,
    rpc_url: polymarket.rpc,
    kalshi_url,
    kalshi_ws_url,
    kalshi_key_id: key.key_id,
    kalshi_private_key_pem: key.private_key_pem,
    hn_url,
    gdelt_url,
    x_url,
    x_bearer_token,
    jetstream_url,
    control_url,
  };
}

interface Closing {
  close(): Promise<void>;
}

/** Open servers, closed in reverse order. */
class Endpoints {
  readonly #open: Closing[] = [];

  add<T extends Closing>(endpoint: T): T {
    this.#open.push(endpoint);
    return endpoint;
  }

  async close(): Promise<void> {
    for (let endpoint = this.#open.pop(); endpoint; endpoint = this.#open.pop()) await endpoint.close();
  }
}

/** Creates a paused clock at the world's present: its start time plus the days of history. */
function clockOf(options: ServeOptions, wall: () => number): PaperClock {
  const days = options.days ?? 3;
  const present = options.from_ms === undefined ? wall() : options.from_ms + days * DAY_MS;
  return new PaperClock(wall, present, 0);
}

function worldOf(options: ServeOptions, clock: PaperClock): World {
  return createWorld({
    ...options.world,
    seed: options.seed ?? 7,
    clock: () => clock.now(),
    days: options.days ?? 3,
    ...(options.from_ms !== undefined && { from_ms: options.from_ms }),
  });
}

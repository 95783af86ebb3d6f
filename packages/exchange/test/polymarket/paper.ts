import { createWorld } from "../../src/world/create-world.ts";
import type { World } from "../../src/world/world.ts";
import {
  type ServedPolymarket,
  servePolymarket,
  type ServePolymarketOptions,
} from "../../src/polymarket/serve-polymarket.ts";

/** A small world behind real servers on free ports, with a clock that the test advances. */
export interface Paper {
  world: World;
  served: ServedPolymarket;
  /** Lets `ms` of world time pass. */
  pass(ms: number): void;
  /** GET a path of a host: status, headers, body as JSON (or text if it is not JSON). */
  get<T = unknown>(
    host: "gamma" | "clob" | "data",
    path: string,
  ): Promise<{ status: number; headers: Headers; body: T }>;
  post<T = unknown>(
    host: "gamma" | "clob" | "data" | "rpc",
    path: string,
    body: unknown,
  ): Promise<{ status: number; body: T }>;
}

const noon = Date.UTC(2026, 8, 10, 12);

export async function openPaper(options: Partial<ServePolymarketOptions> = {}): Promise<Paper> {
  let now = noon;
  const world = createWorld({
    seed: 7,
    clock: () => now,
    days: 1,
    events: 20,
    wallets: 120,
    activity: 0.5,
    kalshi_markets: 2,
  });
  const served = await servePolymarket({ world, data: { cdn: false }, ...options });
  return {
    world,
    served,
    pass(ms) {
      now += ms;
      world.advanceTo(now);
    },
    async get<T>(host: "gamma" | "clob" | "data", path: string) {
      const reply = await fetch(served.urls[host] + path);
      const text = await reply.text();
      return { status: reply.status, headers: reply.headers, body: read(text) as T };
    },
    async post<T>(host: "gamma" | "clob" | "data" | "rpc", path: string, body: unknown) {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      const reply = await fetch(served.urls[host] + path, init);
      return { status: reply.status, body: read(await reply.text()) as T };
    },
  };
}

function read(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

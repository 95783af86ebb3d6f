import { makeDemoKey } from "../../src/kalshi/access/api-access.ts";
import { serveKalshi, type ServeKalshiOptions } from "../../src/kalshi/serve-kalshi.ts";
import type { World } from "../../src/world/world.ts";

/** Serves Kalshi on a free port with one key of each kind. */
export async function openEndpoint(world: World, options: Partial<ServeKalshiOptions> = {}) {
  const keys = { ed25519: makeDemoKey("ed25519"), rsa: makeDemoKey("rsa") };
  const endpoint = await serveKalshi({
    world,
    host: "127.0.0.1",
    port: 0,
    keys: Object.values(keys),
    wall: Date.now,
    ...options,
  });
  const get = async (path: string) => {
    const response = await fetch(endpoint.kalshi_url + path);
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, body, headers: response.headers };
  };
  return { ...endpoint, keys, get };
}

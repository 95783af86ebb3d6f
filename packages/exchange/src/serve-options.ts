import type { FaultEndpoint } from "./faults/fault-endpoint.ts";
import type { FaultPlan } from "./faults/fault-plan.ts";
import type { DemoKey } from "./kalshi/access/api-access.ts";
import type { WorldOptions } from "./world/create-world.ts";

/** One port per endpoint, except Kalshi's websocket, which shares Kalshi's port. */
export type EndpointName = Exclude<FaultEndpoint, "kalshi_ws"> | "control";

export interface ServeOptions {
  /** Default 7. */
  seed?: number | undefined;
  /** World seconds per real second; default 60, 0 pauses the world. */
  speed?: number | undefined;
  /** Start time of the world, ms. Default: `days` before the real present. */
  from_ms?: number | undefined;
  /** Days of history before the first request; default 3. */
  days?: number | undefined;
  /** Default 127.0.0.1. */
  host?: string | undefined;
  /** 0 or absent takes any free port. */
  ports?: Partial<Record<EndpointName, number>> | undefined;
  /** Request limits as on the real exchanges; default none. */
  limits?: boolean | undefined;
  /** Faults of the endpoints, applied once all of them listen. */
  faults?: FaultPlan | undefined;
  /** Sizes of the world. */
  world?: Partial<Omit<WorldOptions, "seed" | "clock" | "from_ms" | "days">> | undefined;
  /** Key pair for the Kalshi websocket; default Ed25519. */
  key?: DemoKey | undefined;
  /** Bearer token for X; default a random one. */
  x_bearer_token?: string | undefined;
  /** Real time, ms. */
  wall?: (() => number) | undefined;
}

/** Addresses of all endpoints, the key for Kalshi's websocket, and the token for X. */
export interface ExchangeUrls {
  gamma_url: string;
  clob_url: string;
  data_url: string;
  ws_url: string;
  rtds_url: string;
  rpc_url: string;
  kalshi_url: string;
  kalshi_ws_url: string;
  kalshi_key_id: string;
  kalshi_private_key_pem: string;
  hn_url: string;
  gdelt_url: string;
  x_url: string;
  x_bearer_token: string;
  /** Bluesky's Jetstream, including its path. */
  jetstream_url: string;
  control_url: string;
}

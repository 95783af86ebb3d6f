import type { FaultDoor } from "./faults/fault-door.ts";
import type { FaultPlan } from "./faults/fault-plan.ts";
import type { DemoKey } from "./kalshi/access/make-demo-key.ts";
import type { WorldOptions } from "./world/world-options.ts";

/** A port each, but Kalshi's websocket, which is on Kalshi's. */
export type DoorName = Exclude<FaultDoor, "kalshi_ws"> | "control";

export interface ServeOptions {
  /** Default 7. */
  seed?: number | undefined;
  /** World seconds a real second; default 60, 0 stands still. */
  speed?: number | undefined;
  /** First moment of the world, ms. Default: `days` before the real present. */
  from_ms?: number | undefined;
  /** Days of history before the first request; default 3. */
  days?: number | undefined;
  /** Default 127.0.0.1. */
  host?: string | undefined;
  /** 0 or absent = any free one. */
  ports?: Partial<Record<DoorName, number>> | undefined;
  /** Request limits as on the real exchanges; default none. */
  limits?: boolean | undefined;
  /** What goes wrong on the doors, from the moment they all listen. */
  faults?: FaultPlan | undefined;
  /** Sizes of the world. */
  world?: Partial<Omit<WorldOptions, "seed" | "clock" | "from_ms" | "days">> | undefined;
  /** Key for the Kalshi websocket; default Ed25519. */
  key?: DemoKey | undefined;
  /** Token for X; default a random one. */
  x_bearer_token?: string | undefined;
  /** Real time, ms. */
  wall?: (() => number) | undefined;
}

/** Where everything listens, the key that opens Kalshi's websocket, and the token that opens X. */
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
  /** Bluesky's Jetstream, with its path. */
  jetstream_url: string;
  control_url: string;
}

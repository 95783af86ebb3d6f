import { z } from "zod";

/** The doors faults can be put on. `rpc` is Polygon's JSON-RPC; `kalshi` and `kalshi_ws` share a port. */
export const faultDoor = z.enum([
  "gamma",
  "clob",
  "data",
  "ws",
  "rtds",
  "rpc",
  "kalshi",
  "kalshi_ws",
  "hackernews",
  "gdelt",
  "x",
  "jetstream",
]);

/** A door by name. */
export type FaultDoor = z.infer<typeof faultDoor>;

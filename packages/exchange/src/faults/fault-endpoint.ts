import { z } from "zod";

/** Endpoints that faults can target. `rpc` is Polygon's JSON-RPC; `kalshi` and `kalshi_ws` share a port. */
export const faultEndpoint = z.enum([
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

/** Name of a simulated endpoint. */
export type FaultEndpoint = z.infer<typeof faultEndpoint>;

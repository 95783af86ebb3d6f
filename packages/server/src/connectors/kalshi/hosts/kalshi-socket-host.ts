import type { Host } from "../../../definition/connector.ts";

/** Kalshi's websocket v2. The setting holds the whole URL; 10,000 commands a second and 200 connections are allowed. */
export const kalshiSocketHost: Host = {
  name: "kalshi-socket",
  setting: "KALSHI_WS_URL",
  limits: { all: { tokens: 10_000, perSeconds: 1 } },
  share: 0.01,
};

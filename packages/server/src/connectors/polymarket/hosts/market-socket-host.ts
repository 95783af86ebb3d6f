import type { Host } from "../../../definition/connector.ts";

/** The market websocket. Its quotas are not published (reference/polymarket.md §6): `all` bounds connections, by our own choice. */
export const marketSocketHost: Host = {
  name: "polymarket-market-socket",
  setting: "POLYMARKET_WS_URL",
  limits: { all: { tokens: 100, perSeconds: 10 } },
  share: 0.5,
};

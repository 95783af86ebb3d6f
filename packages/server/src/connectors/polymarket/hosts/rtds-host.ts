import type { Host } from "../../../definition/connector.ts";

/** The real-time data socket. Its quotas are not published (reference/polymarket.md §7): `all` bounds connections, by our own choice. */
export const rtdsHost: Host = {
  name: "polymarket-rtds",
  setting: "POLYMARKET_RTDS_URL",
  limits: { all: { tokens: 10, perSeconds: 10 } },
  share: 0.5,
};

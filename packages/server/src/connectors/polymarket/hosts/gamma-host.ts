import type { Host } from "../../../definition/connector.ts";

/**
 * Gamma, Polymarket's catalogue. Limits per address in a sliding 10 s window: reference/polymarket.md §0.3.
 * Listings of markets and events have 900 between them as well, which their own limits keep at our share.
 */
export const gammaHost: Host = {
  name: "polymarket-gamma",
  setting: "POLYMARKET_GAMMA_URL",
  limits: {
    all: { tokens: 4000, perSeconds: 10 },
    events: { tokens: 500, perSeconds: 10 },
    markets: { tokens: 300, perSeconds: 10 },
  },
  share: 0.5,
};

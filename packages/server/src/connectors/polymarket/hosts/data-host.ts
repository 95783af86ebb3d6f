import type { Host } from "../../../definition/connector.ts";

/** The Data API v2. Limits per address in a sliding 10 s window: reference/polymarket.md §0.3. */
export const dataHost: Host = {
  name: "polymarket-data",
  setting: "POLYMARKET_DATA_URL",
  limits: {
    all: { tokens: 800, perSeconds: 10 },
    v2_trades: { tokens: 300, perSeconds: 10 },
    v2_activity: { tokens: 200, perSeconds: 10 },
  },
  share: 0.5,
};

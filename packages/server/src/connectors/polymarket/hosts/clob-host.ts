import type { Host } from "../../../definition/connector.ts";

/** The order book over REST. Limits per address in a sliding 10 s window: reference/polymarket.md §0.3. */
export const clobHost: Host = {
  name: "polymarket-clob",
  setting: "POLYMARKET_CLOB_URL",
  limits: {
    all: { tokens: 9000, perSeconds: 10 },
    books: { tokens: 500, perSeconds: 10 },
  },
  share: 0.5,
};

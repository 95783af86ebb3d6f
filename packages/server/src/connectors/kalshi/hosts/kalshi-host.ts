import type { Host } from "../../../definition/connector.ts";

/**
 * Kalshi's REST API v2. A read costs 10 tokens. Without a key no limit is documented: 429s were seen at 4–5 requests
 * a second from one address, so 4 a second is taken as the limit and three quarters of it are used. There is no
 * Retry-After and no penalty. Texts come in the language asked for.
 */
export const kalshiHost: Host = {
  name: "kalshi",
  setting: "KALSHI_URL",
  limits: { all: { tokens: 40, perSeconds: 1, burst: 40 } },
  share: 0.75,
  headers: { "accept-language": "en" },
};

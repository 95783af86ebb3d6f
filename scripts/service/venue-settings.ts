import type { ExchangeUrls } from "../../packages/exchange/src/serve-options.ts";

/** Settings that point the service at the paper exchanges; `urls` is what they reported when they listened. */
export const venueSettings = (urls: ExchangeUrls): Record<string, string> => ({
  POLYMARKET_GAMMA_URL: urls.gamma_url,
  POLYMARKET_CLOB_URL: urls.clob_url,
  POLYMARKET_DATA_URL: urls.data_url,
  POLYMARKET_WS_URL: urls.ws_url.replace(/\/ws\/market$/, ""),
  POLYMARKET_RTDS_URL: urls.rtds_url,
  POLYGON_RPC_URL: urls.rpc_url,
  BLUESKY_JETSTREAM_URL: urls.jetstream_url,
  HN_URL: urls.hn_url,
  GDELT_URL: urls.gdelt_url,
  X_URL: urls.x_url,
  X_BEARER_TOKEN: urls.x_bearer_token,
  X_DAILY_USD: "5",
  KALSHI_URL: urls.kalshi_url,
  KALSHI_WS_URL: urls.kalshi_ws_url,
  KALSHI_KEY_ID: urls.kalshi_key_id,
  KALSHI_PRIVATE_KEY: urls.kalshi_private_key_pem,
});

/** Pace of Kalshi's lowest tier with a key, five times the keyless pace, and of a node on a large plan. */
export const PAID_PACE = { KALSHI_TOKENS_PER_SECOND: "200", POLYGON_RPC_CALLS_PER_SECOND: "400" };

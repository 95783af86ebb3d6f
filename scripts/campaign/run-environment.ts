import type { ExchangeUrls } from "../../packages/exchange/src/serve-options.ts";
import { SOCIAL_STREAMS } from "../verify/social-streams.ts";
import type { FillSource } from "./run-plan.ts";

/** Candles: three calls a second and a call a market would take longer than the run. Of posts nothing is compared. */
const ALWAYS_OFF = ["kalshi-candles", ...SOCIAL_STREAMS];
/** Nothing compares income here, and asking for everybody's takes minutes. */
const FEW_WALLETS = "25";
const RTDS = "polymarket-trades-rtds";

/** The settings of a run's service. `hasNode`: whether it is given the chain by now. */
export function runEnvironment(
  urls: ExchangeUrls,
  run: {
    readonly source: FillSource;
    readonly hasKalshiKey: boolean;
    readonly hasNode: boolean;
    readonly folder: string;
  },
): Record<string, string> {
  const off = run.source === "chain_and_rtds" ? ALWAYS_OFF : [...ALWAYS_OFF, RTDS];
  return {
    ALMANAC_DATA_DIR: run.folder,
    ALMANAC_PORT: "0",
    LOG_LEVEL: "warn",
    STREAMS_OFF: off.join(","),
    INCOME_WALLETS: FEW_WALLETS,
    POLYMARKET_GAMMA_URL: urls.gamma_url,
    POLYMARKET_CLOB_URL: urls.clob_url,
    POLYMARKET_DATA_URL: urls.data_url,
    POLYMARKET_WS_URL: urls.ws_url.replace(/\/ws\/market$/, ""),
    POLYMARKET_RTDS_URL: urls.rtds_url,
    ...(run.hasNode ? { POLYGON_RPC_URL: urls.rpc_url } : {}),
    BLUESKY_JETSTREAM_URL: urls.jetstream_url,
    HN_URL: urls.hn_url,
    GDELT_URL: urls.gdelt_url,
    X_URL: urls.x_url,
    X_BEARER_TOKEN: urls.x_bearer_token,
    X_DAILY_USD: "5",
    KALSHI_URL: urls.kalshi_url,
    KALSHI_WS_URL: urls.kalshi_ws_url,
    ...(run.hasKalshiKey ? { KALSHI_KEY_ID: urls.kalshi_key_id, KALSHI_PRIVATE_KEY: urls.kalshi_private_key_pem } : {}),
  };
}

import type { ExchangeUrls } from "../../packages/exchange/src/serve-options.ts";
import { venueSettings } from "../service/venue-settings.ts";
import { SOCIAL_STREAMS } from "../verify/social-streams.ts";
import type { FillSource } from "./run-plan.ts";

/** Candles: three calls a second and a call per market would take longer than the run. Posts are not compared. */
const ALWAYS_OFF = ["kalshi-candles", ...SOCIAL_STREAMS];
/** Nothing compares income here, and requesting every wallet's takes minutes. */
const FEW_WALLETS = "25";
const RTDS = "polymarket-trades-rtds";

/** The settings of a run's service. `hasNode`: whether it has the chain's node yet. */
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
    ...venueSettings(urls),
    ...(run.hasNode ? {} : { POLYGON_RPC_URL: "" }),
    ...(run.hasKalshiKey ? {} : { KALSHI_KEY_ID: "", KALSHI_PRIVATE_KEY: "" }),
  };
}

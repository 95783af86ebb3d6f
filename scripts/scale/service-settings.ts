import type { ExchangeUrls } from "../../packages/exchange/src/serve-options.ts";
import { SOCIAL_STREAMS } from "../verify/social-streams.ts";
import type { Columns } from "./columns.ts";
import type { Links } from "./links.ts";

type Addresses = {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly columns: Columns;
  readonly urls: ExchangeUrls;
};

/** Candles of Kalshi: a call a market, slower than a fault. Of posts nothing is compared. */
const STREAMS_OFF = ["kalshi-candles", ...SOCIAL_STREAMS];
/** Nothing compares income here, and asking for everybody's takes minutes. */
const FEW_WALLETS = "25";

/** The settings of one process: everything it reaches, it reaches by links of its own. */
export async function serviceSettings(
  name: string,
  links: Links,
  { databaseUrl, redisUrl, columns, urls }: Addresses,
): Promise<Record<string, string>> {
  const venue = (door: string, address: string): Promise<string> => links.openUrl(name, `venue-${door}`, address);
  return {
    LOG_LEVEL: process.env["LOG_LEVEL"] ?? "warn",
    STREAMS_OFF: STREAMS_OFF.join(","),
    INCOME_WALLETS: FEW_WALLETS,
    DATABASE_URL: await links.openUrl(name, "records", databaseUrl),
    REDIS_URL: await links.openUrl(name, "redis", redisUrl),
    ...(await columns.settingsOf(name)),
    POLYMARKET_GAMMA_URL: await venue("gamma", urls.gamma_url),
    POLYMARKET_CLOB_URL: await venue("clob", urls.clob_url),
    POLYMARKET_DATA_URL: await venue("data", urls.data_url),
    POLYMARKET_WS_URL: await venue("ws", urls.ws_url.replace(/\/ws\/market$/, "")),
    POLYMARKET_RTDS_URL: await venue("rtds", urls.rtds_url),
    POLYGON_RPC_URL: await venue("rpc", urls.rpc_url),
    KALSHI_URL: await venue("kalshi", urls.kalshi_url),
    KALSHI_WS_URL: await venue("kalshi-ws", urls.kalshi_ws_url),
    KALSHI_KEY_ID: urls.kalshi_key_id,
    KALSHI_PRIVATE_KEY: urls.kalshi_private_key_pem,
  };
}

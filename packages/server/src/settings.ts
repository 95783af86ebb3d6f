import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import type { z } from "zod";
import {
  address,
  addresses,
  addressList,
  dollars,
  timestamp,
  nameList,
  nameText,
  oneOf,
  privateKey,
  textSetting,
  token,
  type Setting,
  wholeNumber,
} from "./setting.ts";

const web = ["http", "https"] as const;
const socket = ["ws", "wss"] as const;

/** Every setting. `almanac config` prints this list: it is the documentation. */
export const SETTINGS = {
  ALMANAC_HOST: textSetting({ default: "127.0.0.1", meaning: "Address the service listens on" }),
  ALMANAC_PORT: wholeNumber(0, 65_535, { default: "8080", meaning: "Port the service listens on; 0 takes a free one" }),
  ALMANAC_METRICS_PORT: wholeNumber(0, 65_535, { meaning: "Port for /metrics; unset: no metrics port" }),
  ALMANAC_DATA_DIR: textSetting({ default: ".almanac/data", meaning: "Folder of the embedded engines" }),
  ALMANAC_SECRET_FILE: textSetting({
    meaning:
      "File with the hex secret that signs cursors, the same for every process; unset: created in ALMANAC_DATA_DIR",
  }),
  ALMANAC_ROLE: oneOf(["all", "api", "ingest", "derive"], { default: "all", meaning: "What this process does" }),
  API_WORKERS: wholeNumber(1, 64, {
    default: "1",
    meaning:
      "Processes that answer API requests; 1: the service's own; more: that many workers (Linux) on the same indexes",
  }),
  LEASE_SECONDS: wholeNumber(2, 60, {
    default: "7",
    meaning:
      "With DATABASE_URL: seconds until another process takes over ingest and derivation from one that died or was stopped",
  }),
  ALMANAC_PUBLIC_URL: address(web, { meaning: "Address under which callers reach the service", shows: "all" }),
  LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
    default: "info",
    meaning: "Lowest log level written",
  }),
  PARAMS_UNKNOWN: oneOf(["reject", "warn"], {
    default: "reject",
    meaning: "An unknown parameter: refuse the request, or answer with a warning",
  }),
  QUERY_TIMEOUT_SECONDS: wholeNumber(1, 30, { default: "20", meaning: "Time limit of a query" }),
  QUERY_MEMORY_MB: wholeNumber(16, 1_000_000, { default: "2000", meaning: "Memory limit of a query" }),
  STATEMENTS_AT_ONCE: wholeNumber(1, 32, {
    default: "16",
    meaning:
      "Maximum query statements of a process that the column engine runs at once; others queue, fairly among accounts",
  }),
  SERVING_BYTES: wholeNumber(0, 1_000_000_000_000_000, {
    meaning:
      "Maximum disk bytes of the serving index, which answers pages of trades; 0: no index and no market lists; unset: a fifth of the free space",
  }),
  SOCKETS_PER_STREAM: wholeNumber(1, 1000, {
    default: "100",
    meaning:
      "Maximum websockets per order book stream (Polymarket 200 books each, Kalshi 500); further markets are omitted",
  }),
  PARKED_MEGABYTES: wholeNumber(1, 1_000_000, {
    default: "256",
    meaning: "Maximum bodies of parked pages kept; older pages keep only their record",
  }),
  RAW_PAYLOAD_HOURS: wholeNumber(0, 8760, {
    default: "2",
    meaning: "Hours for which raw upstream responses are kept; 0 keeps none",
  }),
  INCOME_WALLETS: wholeNumber(0, 100_000, {
    default: "2000",
    meaning: "Maximum wallets whose rewards and rebates are requested, makers and the largest first; 0: none",
  }),
  INCOME_HOURS: wholeNumber(1, 720, {
    default: "6",
    meaning: "Hours after which a wallet's income is requested again",
  }),
  SOCIAL_RETENTION_DAYS: wholeNumber(1, 3650, {
    default: "30",
    meaning: "Days for which posts of social sources are kept, whole UTC days",
  }),
  SOCIAL_UNMATCHED_HOURS: wholeNumber(1, 87_600, {
    default: "168",
    meaning: "Hours for which posts about no market are kept",
  }),
  SESSION_IDLE_MINUTES: wholeNumber(5, 43_200, {
    default: "720",
    meaning: "Minutes after which an unused session of the console ends",
  }),
  SESSION_MAX_HOURS: wholeNumber(1, 8760, {
    default: "168",
    meaning: "Hours after which a session of the console ends however much it is used",
  }),
  SIGN_IN_TRIES: wholeNumber(1, 1000, {
    default: "5",
    meaning: "Sign-in attempts with one e-mail address from one place within SIGN_IN_MINUTES",
  }),
  SIGN_IN_TRIES_PER_ADDRESS: wholeNumber(1, 100_000, {
    default: "30",
    meaning: "Sign-in attempts from one place (an IPv4 address, an IPv6 /64) within SIGN_IN_MINUTES",
  }),
  SIGN_IN_MINUTES: wholeNumber(1, 1440, { default: "15", meaning: "Minutes for which sign-in attempts count" }),
  TRUSTED_PROXIES: addressList({
    meaning: "Addresses or CIDR ranges of proxies whose X-Forwarded-For is trusted; unset: none",
  }),
  VENUES_BEGAN: timestamp({
    meaning:
      "Time of the venues' first rows, if paper exchanges replace them; unset: when Polymarket and Kalshi opened",
  }),
  STREAMS_OFF: nameList({ meaning: "Streams to switch off, separated by commas" }),
  CLICKHOUSE_URL: addresses(web, {
    meaning:
      "ClickHouse server for the rows (http://user:password@host:8123/database), or with CLICKHOUSE_CLUSTER every node's, separated by commas; unset: the embedded engine",
  }),
  CLICKHOUSE_CLUSTER: nameText({
    meaning: "Name in the servers' remote_servers of the cluster whose nodes CLICKHOUSE_URL names",
  }),
  COLD_S3_URL: address(web, {
    meaning: "S3-compatible bucket (http(s)://host/bucket/prefix) for old order books of the embedded engine",
  }),
  COLD_S3_KEY_ID: token({ meaning: "Access key id of COLD_S3_URL" }),
  COLD_S3_SECRET: token({ meaning: "Secret access key of COLD_S3_URL" }),
  COLD_S3_REGION: nameText({ default: "us-east-1", meaning: "Region of COLD_S3_URL" }),
  COLD_STORAGE_POLICY: nameText({
    meaning: "With CLICKHOUSE_URL: storage policy of its servers whose volume 'cold' takes old order books",
  }),
  BOOKS_COLD_AFTER_DAYS: wholeNumber(35, 36_500, {
    default: "60",
    meaning: "Days after which a week of order books goes to COLD_S3_URL or COLD_STORAGE_POLICY",
  }),
  DATABASE_URL: address(["postgres", "postgresql"], {
    meaning: "PostgreSQL for the control records; unset: embedded",
  }),
  S3_ENDPOINT: address(web, { meaning: "S3-compatible server for backups; unset: Amazon's of S3_REGION" }),
  S3_REGION: textSetting({ default: "us-east-1", meaning: "Region that requests to S3 are signed for" }),
  S3_ACCESS_KEY_ID: token({ meaning: "Key id for S3", shows: "nothing" }),
  S3_SECRET_ACCESS_KEY: token({ meaning: "Secret of S3_ACCESS_KEY_ID" }),
  S3_SESSION_TOKEN: token({ meaning: "Session token, with temporary keys for S3" }),
  REDIS_URL: address(["redis", "rediss"], {
    meaning:
      "Redis by which processes share rate limits, revocations and notices of stored rows; unset: nothing is shared",
  }),
  POLYMARKET_GAMMA_URL: address(web, { default: "https://gamma-api.polymarket.com", meaning: "Polymarket Gamma API" }),
  POLYMARKET_CLOB_URL: address(web, { default: "https://clob.polymarket.com", meaning: "Polymarket CLOB API" }),
  POLYMARKET_DATA_URL: address(web, { default: "https://data-api.polymarket.com", meaning: "Polymarket Data API" }),
  POLYMARKET_WS_URL: address(socket, {
    default: "wss://ws-subscriptions-clob.polymarket.com",
    meaning: "Polymarket market websocket, without /ws/market",
  }),
  POLYMARKET_RTDS_URL: address(socket, {
    default: "wss://ws-live-data.polymarket.com",
    meaning: "Polymarket real-time data websocket; wakes the trade streams once new trades can be read",
  }),
  POLYGON_RPC_URL: address(web, {
    meaning: "Polygon JSON-RPC node; adds fills, splits, merges and payouts of the chain",
  }),
  POLYGON_RPC_CALLS_PER_SECOND: wholeNumber(2, 100_000, {
    default: "50",
    meaning: "Calls a second that the Polygon node allows; half are used",
  }),
  POLYGON_WS_URL: address(socket, { meaning: "Polygon websocket node; adds new blocks at once" }),
  KALSHI_URL: address(web, {
    default: "https://external-api.kalshi.com/trade-api/v2",
    meaning: "Kalshi REST API",
  }),
  KALSHI_WS_URL: address(socket, {
    default: "wss://external-api-ws.kalshi.com/trade-api/ws/v2",
    meaning: "Kalshi websocket",
  }),
  KALSHI_KEY_ID: textSetting({
    meaning: "Kalshi API key id; with KALSHI_PRIVATE_KEY adds live books",
    shows: "nothing",
  }),
  KALSHI_PRIVATE_KEY: privateKey(readSigningKey, {
    meaning: "Kalshi private key, PEM or a file; with KALSHI_KEY_ID adds live books",
    shows: "nothing",
  }),
  KALSHI_TOKENS_PER_SECOND: wholeNumber(10, 100_000, {
    default: "40",
    meaning: "Tokens a second that Kalshi's REST API allows this address; a read takes 10; three quarters are used",
  }),
  BLUESKY_JETSTREAM_URL: address(socket, {
    default: "wss://jetstream2.us-east.bsky.network/subscribe",
    meaning: "Bluesky Jetstream",
  }),
  HN_URL: address(web, { default: "https://hn.algolia.com/api/v1", meaning: "Hacker News search" }),
  GDELT_URL: address(web, { default: "https://api.gdeltproject.org/api/v2/doc/doc", meaning: "GDELT document search" }),
  X_URL: address(web, { default: "https://api.x.com/2", meaning: "X API, with its version" }),
  X_BEARER_TOKEN: token({
    meaning: "Bearer token of an X app; with X_DAILY_USD adds posts of X about the largest open markets",
  }),
  X_DAILY_USD: dollars(50_000, {
    default: "0",
    meaning: "Maximum X bill per UTC day in USD ($0.005 per post read, at least 10 posts per search); 0 keeps X off",
  }),
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

type Value<S extends Setting> = z.output<S["schema"]> | (S extends { readonly default: string } ? never : undefined);

/** Every setting's parsed value; undefined if unset. */
export type SettingValues = { readonly [K in SettingName]: Value<(typeof SETTINGS)[K]> };

function readSigningKey(value: string): string {
  const text = value.trim().startsWith("-----BEGIN")
    ? value.replaceAll("\\n", "\n")
    : readFileSync(value.trim(), "utf8");
  const kind = createPrivateKey(text).asymmetricKeyType;
  if (kind !== "rsa" && kind !== "ed25519") throw new Error("neither an RSA nor an Ed25519 key");
  return text;
}

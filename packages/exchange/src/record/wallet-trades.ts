import { join } from "node:path";
import { lazy } from "./lazy.ts";
import { readCsv } from "./read-csv.ts";
import { readLines } from "./read-lines.ts";
import type { RecordedReply, Recording } from "./recording.ts";

const BASEBALL = "polymarket/mlb/trades_82_wallets.jsonl.gz";
const CRYPTO = "polymarket/data_api_v1/wallets/wallet_trades_803.csv";
const LIMIT = { fallback: 100, maximum: 1000 };

/** What both recordings know of a trade; the rest of the row is sent as Data API v2 sends what it does not know. */
interface WalletTrade {
  proxy_wallet: string;
  side: string;
  token_id: string;
  condition_id: string;
  size: number;
  price: number;
  timestamp: number;
  slug: string;
  outcome: string;
  transaction_hash: string;
}

/**
 * Data API `/v2/trades?user=` (cursor) and v1 `/trades?user=` (offset) of 83 wallets: 1,900 baseball trades and 803 of one
 * wallet in crypto, newest first. Not recorded: titles, names, pictures (empty) and the outcome's index (999).
 */
export function walletTrades(dir: string): Recording {
  const load = lazy(() => readWalletTrades(dir));
  return {
    name: "wallet-trades",
    service: "data",
    async answer({ method, path, query }) {
      const user = query.get("user")?.toLowerCase();
      if (method !== "GET" || user === undefined || (path !== "/v2/trades" && path !== "/trades")) return undefined;
      const trades = (await load()).get(user);
      if (!trades) return undefined;
      return path === "/trades" ? offsetPage(trades, query) : cursorPage(trades, query);
    },
  };
}

/** Trades by wallet, newest first. */
export async function readWalletTrades(dir: string): Promise<Map<string, WalletTrade[]>> {
  const trades: WalletTrade[] = [];
  for await (const line of readLines(join(dir, BASEBALL))) {
    const row = JSON.parse(line) as Omit<WalletTrade, "timestamp"> & { timestamp: string };
    trades.push({ ...row, timestamp: Date.parse(row.timestamp) / 1000 });
  }
  for await (const row of readCsv(join(dir, CRYPTO))) trades.push(fromCsv(row));
  const byWallet = Map.groupBy(trades, (trade) => trade.proxy_wallet);
  for (const list of byWallet.values()) list.sort((a, b) => b.timestamp - a.timestamp);
  return byWallet;
}

function fromCsv(row: Record<string, string>): WalletTrade {
  return {
    proxy_wallet: row["wallet"] ?? "",
    side: row["side"] ?? "",
    token_id: row["asset"] ?? "",
    condition_id: row["condition_id"] ?? "",
    size: Number(row["size"]),
    price: Number(row["price"]),
    timestamp: Number(row["timestamp"]),
    slug: row["event_slug"] ?? "",
    outcome: row["outcome"] ?? "",
    transaction_hash: row["transaction_hash"] ?? "",
  };
}

function cursorPage(trades: WalletTrade[], query: URLSearchParams): RecordedReply {
  if (query.has("offset")) {
    return { status: 400, body: { error: "offset is not supported", code: "invalid_request", parameter: "offset" } };
  }
  const place = Number(Buffer.from(query.get("cursor") ?? "", "base64url").toString() || 0);
  const start = Number.isSafeInteger(place) && place > 0 ? place : 0;
  const limit = limitOf(query);
  const next = start + limit < trades.length ? Buffer.from(String(start + limit)).toString("base64url") : null;
  const data = trades.slice(start, start + limit).map((trade) => ({
    proxy_wallet: trade.proxy_wallet,
    side: trade.side,
    token_id: trade.token_id,
    condition_id: trade.condition_id,
    size: trade.size,
    price: trade.price,
    timestamp: trade.timestamp,
    title: "",
    slug: trade.slug,
    icon: "",
    event_slug: "",
    outcome: trade.outcome,
    outcome_index: 999,
    name: "",
    pseudonym: "",
    bio: "",
    profile_image: "",
    profile_image_optimized: "",
    transaction_hash: trade.transaction_hash,
  }));
  return { body: { data, pagination: { limit, offset: 0, has_more: next !== null, next_cursor: next } } };
}

function offsetPage(trades: WalletTrade[], query: URLSearchParams): RecordedReply {
  const offset = Number(query.get("offset") ?? 0);
  const page = trades.slice(offset, offset + limitOf(query)).map((trade) => ({
    proxyWallet: trade.proxy_wallet,
    side: trade.side,
    asset: trade.token_id,
    conditionId: trade.condition_id,
    size: trade.size,
    price: trade.price,
    timestamp: trade.timestamp,
    title: "",
    slug: trade.slug,
    icon: "",
    eventSlug: "",
    outcome: trade.outcome,
    outcomeIndex: 999,
    name: "",
    pseudonym: "",
    bio: "",
    profileImage: "",
    profileImageOptimized: "",
    transactionHash: trade.transaction_hash,
  }));
  return { body: page };
}

function limitOf(query: URLSearchParams): number {
  const limit = Number(query.get("limit") ?? LIMIT.fallback);
  return Number.isSafeInteger(limit) && limit > 0 ? Math.min(limit, LIMIT.maximum) : LIMIT.fallback;
}

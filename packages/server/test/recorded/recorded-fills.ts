import { microText } from "../../src/definition/value-text.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { hex } from "../fixtures/sample-rows.ts";
import { jsonOf, type RecordedRow } from "./recordings.ts";

const SNAPSHOTS = "polymarket/resolutions/archive__data-outputs__snapshots__fixture_track_b_wallets.json.gz";

/** A recorded fill; shares and money in whole millionths. */
type RecordedFill = {
  readonly wallet: string;
  readonly token: string;
  readonly side: string;
  readonly shares: bigint;
  readonly usd: bigint;
  readonly at: string;
  readonly tx: string;
  readonly order: string;
  /** Its index in the recording, which orders fills within a second. */
  readonly place: number;
};

/** Price times size is a whole number of millionths of a dollar in every recorded row. */
export function baseballFill(row: RecordedRow, place: number): RecordedFill {
  const [tx = "", order = ""] = String(row["id"]).split("_");
  const shares = Math.round(Number(row["size"]) * 1e6);
  return {
    wallet: String(row["proxy_wallet"]),
    token: String(row["token_id"]),
    side: String(row["side"]),
    shares: BigInt(shares),
    usd: BigInt(Math.round(Number(row["price"]) * shares)),
    at: String(row["timestamp"]),
    tx,
    order,
    place,
  };
}

type Snapshot = {
  readonly canonical_wallet: string;
  readonly trades: readonly { timestamp: string; asset_id: string; side: string; size: number; cost: number }[];
};

/** Fills of four wallets, in order per wallet; they were recorded in millionths and without their transactions. */
export const snapshotFills = (): RecordedFill[] =>
  jsonOf<Snapshot[]>(SNAPSHOTS).flatMap(({ canonical_wallet, trades }, index) =>
    trades.map((trade, place) => ({
      wallet: canonical_wallet,
      token: trade.asset_id,
      side: trade.side,
      shares: BigInt(Math.round(trade.size)),
      usd: BigInt(Math.round(trade.cost)),
      at: `${trade.timestamp.replace(" ", "T")}Z`,
      tx: hex(10_000 * (index + 1) + place),
      order: hex(10_000 * (index + 1) + place),
      place,
    })),
  );

/** Converts a fill to a row of polymarket_fills. */
export const toFillRow = ({ wallet, token, side, shares, usd, at, tx, order, place }: RecordedFill): InsertRow => ({
  ts: at,
  tx_hash: tx,
  order_hash: order,
  wallet,
  token_id: token,
  side,
  role: "unknown",
  match_kind: "unknown",
  shares: microText(shares),
  usd: microText(usd),
  fee_usd: "0",
  block_number: 0,
  log_index: place,
  source: "chain_v2",
});

/** The totals of a wallet's fills of a token, in millionths. */
export type Account = { held: bigint; cash: bigint; unmatched: bigint };

export const accountKey = (wallet: unknown, token: unknown): string => `${String(wallet)} ${String(token)}`;

/**
 * Accounts keyed by wallet and token, from fills in order: cash in and out, except for shares sold without being held.
 */
export function accountsOf(fills: readonly RecordedFill[]): Map<string, Account> {
  const accounts = new Map<string, Account>();
  for (const { wallet, token, side, shares, usd } of fills) {
    const key = accountKey(wallet, token);
    const own = accounts.get(key) ?? { held: 0n, cash: 0n, unmatched: 0n };
    accounts.set(key, own);
    const sold = shares < own.held ? shares : own.held;
    own.held += side === "BUY" ? shares : -sold;
    own.cash += side === "BUY" ? -usd : (usd * sold) / shares;
    own.unmatched += side === "BUY" ? 0n : shares - sold;
  }
  return accounts;
}

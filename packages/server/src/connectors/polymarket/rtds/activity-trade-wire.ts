import { z } from "zod";
import { conditionWire } from "../exact/condition-wire.ts";
import { decimalWire } from "../exact/decimal-wire.ts";
import { hexWire } from "../exact/hex-wire.ts";
import { maybeWire } from "../exact/maybe-wire.ts";
import { secondWire } from "../exact/second-wire.ts";
import { tokenWire } from "../exact/token-wire.ts";
import type { DataTrade } from "../data/data-trade.ts";

const UNKNOWN_OUTCOME = 999;

/** A trade in camelCase: the payload of RTDS's `activity`. */
export const activityTradeWire = z
  .object({
    proxyWallet: hexWire(20),
    side: z.enum(["BUY", "SELL"]),
    asset: tokenWire,
    conditionId: conditionWire,
    size: decimalWire,
    price: decimalWire,
    timestamp: secondWire,
    slug: maybeWire(z.string()),
    outcome: maybeWire(z.string()),
    outcomeIndex: maybeWire(z.number().int().nonnegative()),
    transactionHash: hexWire(32),
  })
  .transform((row): DataTrade => ({
    wallet: row.proxyWallet,
    side: row.side,
    token_id: row.asset,
    condition_id: row.conditionId,
    size: row.size,
    price: row.price,
    seconds: row.timestamp,
    slug: row.slug ?? "",
    outcome: row.outcome ?? "",
    outcome_index: row.outcomeIndex === UNKNOWN_OUTCOME ? undefined : row.outcomeIndex,
    tx_hash: row.transactionHash,
  }));

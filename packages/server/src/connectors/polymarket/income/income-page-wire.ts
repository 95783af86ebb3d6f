import { z } from "zod";
import { rawText } from "../../../definition/raw-text.ts";
import type { RawRow, RowKey } from "../../../definition/rows-of.ts";
import { pageV2Wire } from "../data/page-v2-wire.ts";
import { decimalWire } from "../exact/decimal-wire.ts";
import { hexWire } from "../exact/hex-wire.ts";
import { secondWire } from "../exact/second-wire.ts";

const creditWire = z.object({
  proxy_wallet: hexWire(20),
  timestamp: secondWire,
  type: z.string(),
  usdc_size: decimalWire,
  transaction_hash: hexWire(32),
});

/** A row of `/v2/activity` that is of no market: a credit to the wallet. */
export type Credit = z.output<typeof creditWire>;

/** A transaction pays many wallets, so its hash alone is no key. */
function keyOfCredit(raw: RawRow): RowKey | undefined {
  const [wallet, hash, type] = [raw["proxy_wallet"], raw["transaction_hash"], raw["type"]].map(rawText);
  if (wallet === undefined || hash === undefined || type === undefined) return undefined;
  return { wallet: wallet.toLowerCase(), tx_hash: hash.toLowerCase(), kind: type.toLowerCase() };
}

function momentOfCredit(raw: RawRow): number | undefined {
  const seconds = rawText(raw["timestamp"]);
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/**
 * A page of `/v2/activity`, of which only credits are asked for. The official schema refuses a page with a type it does
 * not know and throws on a trade that lacks a field, so ours reads the five fields that a credit has.
 */
export const incomePageWire = pageV2Wire(creditWire, { at: momentOfCredit, key: keyOfCredit });

import { INCOME_KINDS } from "../../../definition/income-kinds.ts";
import { microText } from "../../../definition/micro-text.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { isoSeconds } from "../exact/iso-seconds.ts";
import { toMicro } from "../exact/to-micro.ts";
import type { Credit } from "./income-page-wire.ts";

const KINDS = new Map(INCOME_KINDS.map((kind) => [kind.toUpperCase(), kind]));

/** Rows of polymarket_income; `credits` must hold whole transactions, in which alike credits are numbered. Others are left out. */
export function toIncome(credits: readonly Credit[]): readonly InsertRow[] {
  const alike = new Map<string, number>();
  return credits.flatMap(({ proxy_wallet, timestamp, type, usdc_size, transaction_hash }) => {
    const kind = KINDS.get(type);
    if (kind === undefined) return [];
    const amount_usd = microText(toMicro(usdc_size));
    const name = [proxy_wallet, timestamp, transaction_hash, kind, amount_usd].join(" ");
    const place = alike.get(name) ?? 0;
    alike.set(name, place + 1);
    return [{ wallet: proxy_wallet, ts: isoSeconds(timestamp), kind, tx_hash: transaction_hash, amount_usd, place }];
  });
}

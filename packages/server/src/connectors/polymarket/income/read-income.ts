import type { PullOptions } from "../../../definition/connector.ts";
import { rememberCursors } from "../../../definition/remember-cursors.ts";
import { INCOME_KINDS } from "../../../definition/vocabulary.ts";
import { refusedOf } from "../../../definition/read-page.ts";
import { z } from "zod";
import { lowerTextIn, secondsIn } from "../../../definition/rows-of.ts";
import { pageV2Wire } from "../data/trades-v2-wire.ts";
import { decimalWire, hexWire, secondWire } from "../exact/wires.ts";
import { microText } from "../../../definition/value-text.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { isoSeconds, toMicro } from "../exact/values.ts";

const creditWire = z.object({
  proxy_wallet: hexWire(20),
  timestamp: secondWire,
  type: z.string(),
  usdc_size: decimalWire,
  transaction_hash: hexWire(32),
});

/** A row of `/v2/activity` without a market: a credit to the wallet. */
type Credit = z.output<typeof creditWire>;

/**
 * A page of `/v2/activity`, requested for credits only. The official schema refuses a page with an unknown type and
 * throws on a trade that lacks a field, so ours reads the five fields of a credit.
 */
export const incomePageWire = pageV2Wire(creditWire, {
  at: secondsIn("timestamp"),
  // A transaction credits many wallets, so its hash alone is no key.
  key: {
    wallet: lowerTextIn("proxy_wallet"),
    tx_hash: lowerTextIn("transaction_hash"),
    kind: lowerTextIn("type"),
  },
});

const KINDS = new Map(INCOME_KINDS.map((kind) => [kind.toUpperCase(), kind]));

/**
 * Rows of polymarket_income; `credits` must contain complete transactions, as identical credits are numbered in them.
 * Other rows are skipped.
 */
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

/** The largest page available. */
const PAGE_ROWS = 1000;
/** Fifty thousand credits: several a day for decades. */
const MAX_PAGES = 50;
const TYPES = INCOME_KINDS.map((kind) => kind.toUpperCase()).join(",");

/**
 * All credits to a wallet from a second on. `isWhole` is false if a row could not be read or the pages did not end.
 * Filters are sent with every cursor, as the feed requires.
 */
export async function readIncome(
  { feed }: Pick<PullOptions, "feed">,
  wallet: string,
  fromSecond: number,
): Promise<{ readonly credits: readonly Credit[]; readonly isWhole: boolean }> {
  const credits: Credit[] = [];
  let isWhole = true;
  const isRepeated = rememberCursors(undefined);
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query: (readonly [string, string])[] = [
      ["user", wallet],
      ["type", TYPES],
      ["start", String(fromSecond)],
      ["limit", String(PAGE_ROWS)],
    ];
    if (after !== undefined) query.push(["cursor", after]);
    const read = await feed.get({ path: "/v2/activity", query, route: "v2_activity" }, incomePageWire);
    if (read === undefined) return { credits, isWhole: false };
    if (isRepeated(read.nextCursor)) throw new Error("/v2/activity returned the same cursor again");
    credits.push(...read.items);
    isWhole &&= refusedOf(read).length === 0;
    if (read.nextCursor === undefined) return { credits, isWhole };
    after = read.nextCursor;
  }
  return { credits, isWhole: false };
}

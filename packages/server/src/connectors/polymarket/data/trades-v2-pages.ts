import type { PullOptions } from "../../../definition/connector.ts";
import { refusedOf, type RefusedRow } from "../../../definition/read-page.ts";
import { rememberCursors } from "../../../definition/remember-cursors.ts";
import { type DataTrade, tradesV2Wire } from "./trades-v2-wire.ts";

/**
 * Unreadable trades of the two feeds: the other fills of such a transaction are skipped with them, because roles,
 * numbers and match kinds of its fills depend on all of them. If the transaction cannot be identified, its entire
 * second is skipped.
 */
export class UnreadTrades {
  readonly #transactions = new Set<string>();
  readonly #seconds: { readonly from: number; readonly to: number }[] = [];

  note(rows: readonly RefusedRow[]): void {
    for (const { key, span } of rows) {
      if (key?.["tx_hash"] !== undefined) this.#transactions.add(key["tx_hash"]);
      else if (span !== undefined) this.#seconds.push({ from: span.from / 1000, to: span.to / 1000 });
    }
  }

  has(trade: DataTrade): boolean {
    const { seconds } = trade;
    return (
      this.#transactions.has(trade.tx_hash) || this.#seconds.some(({ from, to }) => seconds >= from && seconds <= to)
    );
  }
}

/** The largest page available. */
const PAGE_ROWS = 1000;

type Question = {
  readonly takerOnly: boolean;
  readonly conditions?: readonly string[];
  /** Collects rows that could not be read. */
  readonly unread?: UnreadTrades;
  /** Rows per page. */
  readonly rows?: number;
};

/**
 * Pages of `/v2/trades`, newest first. Filters are sent with every cursor; a changing parameter is sent with every
 * call, because the CDN caches a URL for five minutes (reference/polymarket.md §5.2). The dust filter is set to the
 * smallest possible amount: 0 may be read as its default of 0.01 shares.
 */
export async function* tradesV2Pages(
  { feed, now }: Pick<PullOptions, "feed" | "now">,
  { takerOnly, conditions = [], unread, rows = PAGE_ROWS }: Question,
): AsyncGenerator<readonly DataTrade[], void, void> {
  const isRepeated = rememberCursors(undefined);
  let after: string | undefined;
  for (let call = 0; ; call += 1) {
    const query: (readonly [string, string])[] = [
      ["taker_only", String(takerOnly)],
      ["filter_type", "TOKENS"],
      ["filter_amount", "0.000001"],
      ["limit", String(rows)],
    ];
    if (conditions.length > 0) query.push(["condition", conditions.join(",")]);
    if (after !== undefined) query.push(["cursor", after]);
    query.push(["_", `${now()}${call}`]);
    const page = await feed.get({ path: "/v2/trades", query, route: "v2_trades" }, tradesV2Wire);
    if (page === undefined) return;
    if (isRepeated(page.nextCursor)) throw new Error("/v2/trades returned the same cursor again");
    unread?.note(refusedOf(page));
    yield page.items;
    if (page.nextCursor === undefined) return;
    after = page.nextCursor;
  }
}

/**
 * Regroups pages of a feed (newest first) so that no second is split between two chunks: the oldest second of a page
 * waits for the next page. Rows of one transaction share their second, so they stay together. Rows within a page may be
 * in any order: chunks are newest first.
 */
export async function* wholeSeconds(
  pages: AsyncIterable<readonly DataTrade[]>,
): AsyncGenerator<readonly DataTrade[], void, void> {
  let held: readonly DataTrade[] = [];
  for await (const page of pages) {
    const rows = [...held, ...page].sort((a, b) => b.seconds - a.seconds);
    const oldest = rows.at(-1)?.seconds;
    const whole = rows.filter((row) => row.seconds !== oldest);
    held = rows.filter((row) => row.seconds === oldest);
    if (whole.length > 0) yield whole;
  }
  if (held.length > 0) yield held;
}

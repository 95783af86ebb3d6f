import type { PullOptions } from "../../../definition/connector.ts";
import { INCOME_KINDS } from "../../../definition/income-kinds.ts";
import { refusedOf } from "../../../definition/read-page.ts";
import { type Credit, incomePageWire } from "./income-page-wire.ts";

/** The largest page there is. */
const PAGE_ROWS = 1000;
/** Fifty thousand credits: several a day for decades. */
const MOST_PAGES = 50;
const TYPES = INCOME_KINDS.map((kind) => kind.toUpperCase()).join(",");

/**
 * What a wallet was credited with from a second on, all pages of it. `isWhole` is false where a row could not be read or
 * there was no end of pages. Filters go with every cursor, as the feed demands.
 */
export async function readIncome(
  { feed }: Pick<PullOptions, "feed">,
  wallet: string,
  fromSecond: number,
): Promise<{ readonly credits: readonly Credit[]; readonly isWhole: boolean }> {
  const credits: Credit[] = [];
  let isWhole = true;
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query: (readonly [string, string])[] = [
      ["user", wallet],
      ["type", TYPES],
      ["start", String(fromSecond)],
      ["limit", String(PAGE_ROWS)],
    ];
    if (after !== undefined) query.push(["cursor", after]);
    const read = await feed.get({ path: "/v2/activity", query, route: "v2_activity" }, incomePageWire);
    if (read === undefined) return { credits, isWhole: false };
    if (read.nextCursor !== undefined && read.nextCursor === after) {
      throw new Error("/v2/activity gave the same cursor again");
    }
    credits.push(...read.items);
    isWhole &&= refusedOf(read).length === 0;
    if (read.nextCursor === undefined) return { credits, isWhole };
    after = read.nextCursor;
  }
  return { credits, isWhole: false };
}

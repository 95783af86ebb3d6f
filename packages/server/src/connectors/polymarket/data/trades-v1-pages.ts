import { createHash } from "node:crypto";
import type { PullOptions } from "../../../definition/connector.ts";
import { refusedOf } from "../../../definition/read-page.ts";
import type { DataTrade } from "./data-trade.ts";
import { tradesV1Wire } from "./trades-v1-wire.ts";
import type { UnreadTrades } from "./unread-trades.ts";

const PAGE_ROWS = 500;
/** Upstream's own bound has been 10,000, 5,000, 3,000 and 1,000; beyond this no host answered. */
const MOST_PAGES = 40;

/** What a walk noticed. `isCut`: it ended at what upstream gives, not at the end of the trades. */
export type V1Walk = { isCut: boolean; repeatedRows: number; shiftedRows: number; ending: string };

export const newV1Walk = (): V1Walk => ({ isCut: false, repeatedRows: 0, shiftedRows: 0, ending: "" });

/**
 * Pages of the first Data API's `/trades`, newest first, by offset. Beyond some offset it repeats one page for ever or
 * answers 400 (reference/polymarket.md §3): both end the walk and are written into `walk`. Trades that come in while
 * it pages push the rest back: rows at the head of a page that ended the page before it are left out.
 */
export async function* tradesV1Pages(
  { feed, now }: Pick<PullOptions, "feed" | "now">,
  question: { readonly takerOnly: boolean; readonly market?: string; readonly unread?: UnreadTrades },
  walk: V1Walk,
): AsyncGenerator<readonly DataTrade[], void, void> {
  const seen = new Set<string>();
  let before: readonly string[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query: (readonly [string, string])[] = [
      ["takerOnly", String(question.takerOnly)],
      ["limit", String(PAGE_ROWS)],
      ["offset", String(page * PAGE_ROWS)],
    ];
    if (question.market !== undefined) query.push(["market", question.market]);
    query.push(["_", `${now()}${page}`]);
    const rows = await feed.get({ path: "/trades", query, route: "v1_trades", absentOn: [400] }, tradesV1Wire);
    if (rows === undefined) {
      Object.assign(walk, { isCut: true, ending: `offset ${page * PAGE_ROWS} was refused` });
      return;
    }
    question.unread?.note(refusedOf(rows));
    const texts = rows.map((row) => JSON.stringify(row));
    const hash = createHash("sha256").update(texts.join("\n")).digest("hex");
    if (rows.length > 0 && seen.has(hash)) {
      walk.repeatedRows += rows.length;
      Object.assign(walk, { isCut: true, ending: `offset ${page * PAGE_ROWS} repeated an earlier page` });
      return;
    }
    seen.add(hash);
    const shifted = overlap(before, texts);
    walk.shiftedRows += shifted;
    yield rows.slice(shifted);
    if (rows.length + refusedOf(rows).length < PAGE_ROWS) return;
    before = texts;
  }
  Object.assign(walk, { isCut: true, ending: `${MOST_PAGES} pages were read` });
}

/** How many rows at the head of `page` are the tail of the page `before` it. */
function overlap(before: readonly string[], page: readonly string[]): number {
  for (let size = Math.min(before.length, page.length); size > 0; size -= 1) {
    if (before.at(-size) !== page[0]) continue;
    if (before.slice(-size).every((text, index) => text === page[index])) return size;
  }
  return 0;
}

import type { DataTrade } from "../data/trades-v2-wire.ts";
import { wholeSeconds } from "../data/whole-seconds.ts";

/** Some sixty minutes of the busiest hours, at a thousand rows a page. */
const MAX_CHUNKS = 200;

/**
 * The trades of a feed (newest first) in the seconds `after` (exclusive) to `to`, all of them past. The trades after
 * second `from` are complete; it is later than `after` if the walk did not get back that far.
 */
export async function readBetween(
  pages: AsyncIterable<readonly DataTrade[]>,
  after: number,
  to: number,
): Promise<{ readonly trades: readonly DataTrade[]; readonly from: number }> {
  const trades: DataTrade[] = [];
  let chunks = 0;
  for await (const chunk of wholeSeconds(pages)) {
    const oldest = chunk.at(-1)?.seconds ?? 0;
    for (const trade of chunk) if (trade.seconds > after && trade.seconds <= to) trades.push(trade);
    chunks += 1;
    if (oldest <= after) return { trades, from: after };
    if (chunks >= MAX_CHUNKS) return { trades, from: Math.min(oldest, to) };
  }
  return { trades, from: after };
}

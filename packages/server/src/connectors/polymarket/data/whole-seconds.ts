import type { DataTrade } from "./trades-v2-wire.ts";

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

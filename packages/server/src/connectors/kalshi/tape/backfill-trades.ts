import type { Batch, Cursor, PullOptions } from "../../../definition/connector.ts";
import { cursorNumber } from "../../../definition/cursor-number.ts";
import { BOTH_TIERS_SECONDS, readCutoff } from "../wire/read-cutoff.ts";
import { timestampOf, secondsOf } from "../wire/values.ts";
import { walkTape, type TapePath } from "./walk-tape.ts";

const FIRST_WIDTH = 900;
const WIDEST = 86_400;
const FEW_PAGES = 4;
const MANY_PAGES = 60;

/**
 * Trades of a backfill range, in windows from its end to its start: the live tier after the cutoff, the historical one
 * before it, and near it both, with each trade taken once. The cutoff moves, so it is read again after every window.
 */
export async function* backfillTrades(
  options: PullOptions,
  range: { readonly from: string; readonly to: string },
): AsyncGenerator<Batch, void, void> {
  const key = `${range.from}/${range.to}`;
  const saved = options.cursor?.["range"] === key ? options.cursor : undefined;
  const first = secondsOf(range.from);
  let until = cursorNumber(saved, "until") ?? secondsOf(range.to) + 1;
  let width = cursorNumber(saved, "width") ?? FIRST_WIDTH;
  const at = (): Cursor => ({ range: key, until, width });
  let cutoff = (await readCutoff(options.feed)).trades;
  while (until > first) {
    const window = { from: Math.max(first, until - width), to: until };
    const seen = new Set<string>();
    const walked = new Set<TapePath>();
    let pages = 0;
    for (;;) {
      const path = tiersOf(window, cutoff).find((tier) => !walked.has(tier));
      if (path === undefined) break;
      walked.add(path);
      for await (const step of walkTape(options, path, window, seen)) {
        pages += 1;
        yield { ...step.batch, cursor: at() };
      }
      cutoff = (await readCutoff(options.feed)).trades;
    }
    until = window.from;
    if (pages <= FEW_PAGES) width = Math.min(WIDEST, width * 2);
    if (pages > MANY_PAGES) width = Math.max(60, Math.floor(width / 2));
    yield { rows: [], cursor: at(), since: timestampOf(until), ...(until <= first && { isCaughtUp: true }) };
  }
}

function tiersOf(window: { readonly from: number; readonly to: number }, cutoff: number): TapePath[] {
  const tiers: TapePath[] = [];
  if (window.to > cutoff - BOTH_TIERS_SECONDS) tiers.push("/markets/trades");
  if (window.from < cutoff + BOTH_TIERS_SECONDS) tiers.push("/historical/trades");
  return tiers;
}

import type { Batch, Cursor } from "../../../definition/connector.ts";
import { isoSeconds } from "../exact/values.ts";
import type { DataTrade } from "./trades-v2-wire.ts";
import { readRoles, type TakerRows, toDataFills } from "./to-data-fills.ts";
import { type UnreadTrades, wholeSeconds } from "./trades-v2-pages.ts";

/** Read again every cycle: rows of a block can appear a little after those of the next. */
export const OVERLAP_SECONDS = 30;
/** The size of a first run, and how far a later one goes back, in chunks of about a page. */
const FIRST_CHUNKS = 5;
const MAX_CHUNKS = 500;
/** Cycles to wait for the rest of a transaction that a feed returned in part. */
const MAX_HELD = 8;

type Following = {
  readonly pages: AsyncIterable<readonly DataTrade[]>;
  readonly takers: TakerRows;
  readonly cursor: Cursor | undefined;
  /** Unreadable rows of either feed. */
  readonly unread: UnreadTrades;
  /** Unix ms. */
  readonly now: number;
};

/** The newest second in both feeds, and the last one whose fills are complete. */
type Settled = { readonly top: number; readonly limit: number };

/**
 * One live cycle over a feed that is newest first. The newest second may still be filling, and the two feeds are read
 * at different times: it is left for the next cycle unless it has not moved since the last one (`seen`). Fills stamped
 * ahead of this machine's time do not show how far the feed is: the newest second before them is left too (`seenPast`).
 * The cursor moves only when the walk got back to the end of the last one; a feed that ends before leaves a gap. It does
 * not pass a transaction without its taker's fill (`held` counts these cycles), because a page of either feed was
 * missing. One that it has already passed is left to later cycles and to the check stream: roles stored as unknown stay
 * so.
 */
export async function* followTrades(following: Following): AsyncGenerator<Batch, void, void> {
  const { takers, cursor, unread } = following;
  const now = Math.floor(following.now / 1000);
  const done = typeof cursor?.["newest"] === "number" ? Math.min(cursor["newest"], now) : undefined;
  const floor = done === undefined ? undefined : done - OVERLAP_SECONDS;
  let head: Settled | undefined;
  let past: Settled | undefined;
  const held = typeof cursor?.["held"] === "number" ? cursor["held"] : 0;
  let heldFrom = Infinity;
  let oldest = Infinity;
  let chunks = 0;
  for await (const chunk of wholeSeconds(following.pages)) {
    oldest = chunk.at(-1)?.seconds ?? oldest;
    await takers.readTo(Math.max(oldest, floor ?? 0));
    head ??= settled(chunk, takers, Infinity, cursor?.["seen"]);
    past ??= settled(chunk, takers, now, cursor?.["seenPast"] ?? cursor?.["seen"]);
    const limitOf = ({ seconds }: DataTrade): number => (seconds > now ? head?.limit : past?.limit) ?? 0;
    const wanted = chunk.filter(
      (row) => row.seconds <= limitOf(row) && row.seconds >= (floor ?? 0) && !unread.has(row),
    );
    const { roleOf, lacking } = readRoles(wanted, (row) => takers.roleOf(row));
    const isPassed = ({ seconds }: DataTrade): boolean => seconds <= (done ?? 0);
    const isLeft = (row: DataTrade): boolean => lacking.has(row.tx_hash) && (isPassed(row) || held < MAX_HELD);
    for (const row of wanted) if (isLeft(row) && !isPassed(row)) heldFrom = Math.min(heldFrom, row.seconds);
    const kept = wanted.filter((row) => !isLeft(row));
    if (kept.length > 0) yield { rows: toDataFills(kept, roleOf), cursor: cursor ?? {} };
    takers.forget(oldest);
    chunks += 1;
    if (floor === undefined ? chunks >= FIRST_CHUNKS : oldest < floor || chunks >= MAX_CHUNKS) break;
  }
  if (head === undefined || (past === undefined && done === undefined)) {
    yield { rows: [], cursor: cursor ?? {}, isCaughtUp: true };
    return;
  }
  const newest = Math.max(Math.min(past?.limit ?? 0, heldFrom - 1), done ?? 0);
  const seen = { seen: head.top, ...(past !== undefined && past.top < head.top ? { seenPast: past.top } : {}) };
  const hasGap = done !== undefined && oldest > done;
  yield {
    rows: [],
    cursor: { newest, ...seen, ...(Number.isFinite(heldFrom) ? { held: held + 1 } : {}) },
    reached: isoSeconds(newest),
    isCaughtUp: true,
    ...(done === undefined ? { since: isoSeconds(oldest) } : {}),
    ...(hasGap
      ? { gap: { from: isoSeconds(done), to: isoSeconds(oldest), reason: "the trades feed did not reach back" } }
      : {}),
  };
}

/** Undefined if every fill of the chunk (newest first) or of the takers' feed is later than `until`. */
function settled(
  chunk: readonly DataTrade[],
  takers: TakerRows,
  until: number,
  seen: Cursor[string] | undefined,
): Settled | undefined {
  const newest = chunk.find(({ seconds }) => seconds <= until)?.seconds;
  const newestTaker = takers.newestUntil(until);
  if (newest === undefined || newestTaker === undefined) return undefined;
  const top = Math.min(newest, newestTaker);
  return { top, limit: top === seen ? top : top - 1 };
}

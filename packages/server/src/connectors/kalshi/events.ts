import { definePull, type Batch, type Cursor, type PullOptions } from "../../definition/connector.ts";
import { kalshiEvents } from "../../tables/kalshi-events.ts";
import { cursorNumber, cursorText } from "../../definition/cursor-number.ts";
import { eventsReply } from "./catalogue/replies.ts";
import { type Filters, nextMark, repeatNotices, walkPages } from "./wire/walk-pages.ts";
import { kalshiHost } from "./hosts.ts";
import { toEvent } from "./catalogue/to-rows.ts";
import { secondsOf } from "./wire/to-values.ts";

const OVERLAP_SECONDS = 90;
/** What a page that was left out held is found by the next walk over all open events: some fifty pages. */
const FULL_EVERY_SECONDS = 3600;

/**
 * Events: those with an open market first and every hour, between what changed since, by the venue's own clock. Events
 * never leave the live tier, so a backfill walks the same list for events whose markets closed after the range's start.
 */
export const kalshiEventsStream = definePull({
  name: "kalshi-events",
  title: "Kalshi events",
  venue: "kalshi",
  host: kalshiHost,
  tables: [kalshiEvents],
  everySeconds: 120,
  canBackfill: true,
  pull: (options) => (options.range ? backfillEvents(options, options.range) : pullEvents(options)),
  replay: ({ read }) => [{ table: kalshiEvents, rows: (read(eventsReply).events ?? []).map(toEvent) }],
});

async function* pullEvents(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const { cursor } = options;
  const updated = cursorNumber(cursor, "updated_ts");
  const fullAt = cursorNumber(cursor, "full_at") ?? 0;
  const startedAt = Math.floor(options.now() / 1000);
  const isFull = updated === undefined || startedAt - fullAt >= FULL_EVERY_SECONDS || startedAt < fullAt;
  const walks: Filters[] = isFull ? [{ status: "open" }] : [];
  if (updated !== undefined) walks.unshift({ min_updated_ts: Math.max(0, updated - OVERLAP_SECONDS) });
  const changes = { rows: 0, latest: 0 };
  for (const filters of walks) {
    for await (const step of walkEvents(options, filters)) {
      // What changed while a long walk was being read may be on a page before, and a full one does not ask for changes.
      if (filters === walks[0]) {
        changes.rows += step.events;
        changes.latest = Math.max(changes.latest, Math.min(step.latest, startedAt));
      }
      yield { ...step.batch, cursor: { updated_ts: updated ?? null, full_at: fullAt } };
    }
  }
  const reached = new Date(startedAt * 1000).toISOString();
  const mark = nextMark(updated ?? 0, changes, startedAt);
  yield {
    rows: [],
    cursor: { updated_ts: mark === 0 ? startedAt : mark, full_at: isFull ? startedAt : fullAt },
    reached,
    ...(updated === undefined && { since: reached }),
    isCaughtUp: true,
  };
}

async function* backfillEvents(
  options: PullOptions,
  range: { readonly from: string; readonly to: string },
): AsyncGenerator<Batch, void, void> {
  const key = `${range.from}/${range.to}`;
  const saved = options.cursor?.["range"] === key ? options.cursor : undefined;
  const at = (page: string | undefined): Cursor => ({ range: key, page: page ?? null, done: page === undefined });
  if (saved?.["done"] === true) return;
  const filters = { min_close_ts: secondsOf(range.from) };
  for await (const step of walkEvents(options, filters, cursorText(saved, "page"))) {
    const isLast = step.next === undefined;
    yield { ...step.batch, cursor: at(step.next), ...(isLast && { since: range.from, isCaughtUp: true }) };
  }
}

async function* walkEvents(options: PullOptions, filters: Filters, from?: string) {
  const { feed, signal } = options;
  const walk = { feed, signal, path: "/events", reply: eventsReply, filters: { limit: 200, ...filters }, from };
  for await (const step of walkPages(walk)) {
    const events = step.page.events ?? [];
    const batch: Pick<Batch, "rows" | "notices"> = {
      rows: [{ table: kalshiEvents, rows: events.map(toEvent) }],
      ...repeatNotices(step, "/events"),
    };
    const moments = events.map((event) => (event.last_updated_ts ? secondsOf(event.last_updated_ts) : 0));
    yield { batch, next: step.next, events: events.length, latest: Math.max(0, ...moments) };
  }
}

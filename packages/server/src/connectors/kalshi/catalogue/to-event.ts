import type { InsertRow } from "../../../definition/table.ts";
import type { EventReply } from "./event-reply.ts";
import { toMoment } from "../wire/to-moment.ts";

/** A row of kalshi_events. */
export function toEvent(event: EventReply): InsertRow {
  return {
    event_ticker: event.event_ticker,
    series_ticker: event.series_ticker,
    title: event.title,
    sub_title: event.sub_title ?? "",
    category: event.category ?? "",
    mutually_exclusive: event.mutually_exclusive,
    strike_date: toMoment(event.strike_date),
  };
}

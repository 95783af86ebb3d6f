import { z } from "zod";
import { moment, name, pageCursor } from "../wire/kinds.ts";

/** An event object. `category` is deprecated in favour of the series' but still sent. */
export const eventReply = z.looseObject({
  event_ticker: name,
  series_ticker: name,
  title: z.string().max(20_000),
  sub_title: z.string().max(20_000).nullish(),
  category: z.string().max(200).nullish(),
  mutually_exclusive: z.boolean(),
  strike_date: moment.nullish(),
  last_updated_ts: moment.nullish(),
});

export type EventReply = z.output<typeof eventReply>;

/** GET /events. */
export const eventsReply = z.looseObject({ events: z.array(eventReply).max(1000).nullable(), cursor: pageCursor });

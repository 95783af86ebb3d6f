import { z } from "zod";
import { keyOf } from "../../../definition/key-of.ts";
import { rawMoment } from "../../../definition/raw-moment.ts";
import { rawText } from "../../../definition/raw-text.ts";
import { rowsOf } from "../../../definition/rows-of.ts";
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
export const eventsReply = z.looseObject({
  events: rowsOf(
    eventReply,
    {
      at: (raw) => rawMoment(raw["last_updated_ts"]),
      key: (raw) => keyOf("event_ticker", raw["event_ticker"]),
      instrument: (raw) => rawText(raw["event_ticker"]),
    },
    1000,
  ).nullable(),
  cursor: pageCursor,
});

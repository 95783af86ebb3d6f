import { z } from "zod";
import { keyOf } from "../../../definition/key-of.ts";
import { rawMoment } from "../../../definition/raw-moment.ts";
import { rawText } from "../../../definition/raw-text.ts";
import { rowsOf } from "../../../definition/rows-of.ts";
import { moment, name } from "../wire/kinds.ts";

/** A series object. `fee_type` is not a closed list; lists may be JSON null. */
export const seriesReply = z.looseObject({
  ticker: name,
  title: z.string().max(20_000),
  category: z.string().max(200),
  frequency: z.string().max(200),
  tags: z.array(z.string().max(500)).max(1000).nullish(),
  fee_type: z.string().max(200),
  fee_multiplier: z.number().min(0).max(1_000_000).nullish(),
  last_updated_ts: moment.nullish(),
});

export type SeriesReply = z.output<typeof seriesReply>;

/** GET /series: all of them in one answer, it has no pages. */
export const seriesListReply = z.looseObject({
  series: rowsOf(
    seriesReply,
    {
      at: (raw) => rawMoment(raw["last_updated_ts"]),
      key: (raw) => keyOf("series_ticker", raw["ticker"]),
      instrument: (raw) => rawText(raw["ticker"]),
    },
    500_000,
  ).nullable(),
});

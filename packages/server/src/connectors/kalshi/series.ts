import { definePull, type Batch, type PullOptions } from "../../definition/connector.ts";
import { MIB } from "../../definition/mib.ts";
import { kalshiSeries } from "../../tables/kalshi-series.ts";
import { cursorNumber } from "../../definition/cursor-number.ts";
import { kalshiCall, nextMark } from "./wire/walk-pages.ts";
import { kalshiHost } from "./hosts.ts";
import { seriesListReply } from "./catalogue/replies.ts";
import { secondsOf } from "./wire/to-values.ts";
import { toSeries } from "./catalogue/to-rows.ts";

const OVERLAP_SECONDS = 90;
/** All series are one answer, of 18 MB. */
const MOST_BYTES = 32 * MIB;
const PER_BATCH = 2000;
/** The whole list is 18 MB; changes are asked for between. */
const FULL_EVERY_SECONDS = 86_400;

/** Series: the whole list once a day, what changed since in between. */
export const kalshiSeriesStream = definePull({
  name: "kalshi-series",
  title: "Kalshi series",
  venue: "kalshi",
  host: kalshiHost,
  tables: [kalshiSeries],
  everySeconds: 900,
  canBackfill: false,
  pull: pullSeries,
  replay: ({ read }) => [{ table: kalshiSeries, rows: (read(seriesListReply).series ?? []).map(toSeries) }],
});

async function* pullSeries(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const startedAt = Math.floor(options.now() / 1000);
  const fullAt = cursorNumber(options.cursor, "full_at") ?? 0;
  const updated = cursorNumber(options.cursor, "updated_ts") ?? 0;
  const isFull = updated === 0 || startedAt - fullAt >= FULL_EVERY_SECONDS || startedAt < fullAt;
  const filters = isFull ? {} : { min_updated_ts: Math.max(0, updated - OVERLAP_SECONDS) };
  const reply = await options.feed.get({ ...kalshiCall("/series", filters), mostBytes: MOST_BYTES }, seriesListReply);
  const series = reply?.series ?? [];
  for (let at = 0; at < series.length; at += PER_BATCH) {
    const rows = series.slice(at, at + PER_BATCH).map(toSeries);
    yield { rows: [{ table: kalshiSeries, rows }], cursor: { full_at: fullAt, updated_ts: updated } };
  }
  const latest = series.reduce(
    (max, one) => Math.max(max, one.last_updated_ts ? secondsOf(one.last_updated_ts) : 0),
    0,
  );
  const mark = nextMark(updated, { rows: series.length, latest }, startedAt);
  yield {
    rows: [],
    cursor: { full_at: isFull ? startedAt : fullAt, updated_ts: mark },
    reached: new Date(startedAt * 1000).toISOString(),
    isCaughtUp: true,
  };
}

import { bookRows, type BookRequested } from "../definition/book-rows.ts";
import { bookValues } from "../definition/book-values.ts";
import { timestampMicros } from "../definition/timestamp.ts";
import { LAST_SECOND } from "../definition/served.ts";
import type { MadeValue } from "../definition/served-buckets.ts";
import type { KeyedAsking, KeyedReader, MadeRow, ServedKeyed } from "../definition/served-keyed.ts";
import type { Bound } from "../definition/sql.ts";
import { servedBookEvents } from "../tables/served-book-events.ts";

type Requested = Readonly<Partial<Record<"token_id" | "ticker" | "start_time" | "end_time" | "depth", Bound>>>;
type Fields = Readonly<Record<string, MadeValue>>;

const MILLIS = 1_000;

const PASSED: MadeRow = { at: 0, values: () => ({}) };

/** Datasets 572 and 1102 from an instrument's events in the serving index; `fieldsOf` gives the instrument's fields. */
export const servedOrderBook = (
  param: "token_id" | "ticker",
  fieldsOf: (instrument: string, reader: KeyedReader) => Fields,
): Omit<ServedKeyed, "order"> => ({
  tables: [servedBookEvents],
  search: (p: Requested, asking) => {
    const requested = requestedOf(p, asking);
    return {
      keys: [String(p[param]?.value)],
      isPlaced: true,
      isOnSnapshot: true,
      rows: function* rows(instrument, reader) {
        const found = bookRows(
          reader.back(servedBookEvents, "instrument", instrument, lastSecond(requested)),
          requested,
        );
        if (found === undefined || found.length === 0) return;
        const fields = fieldsOf(instrument, reader);
        // Rows before the page are only counted, so placeholders stand for them.
        for (let left = requested.offset; left > 0; left -= 1) yield PASSED;
        for (const row of found) yield { at: 0, values: () => ({ ...bookValues(row), ...fields }) };
      },
    };
  },
});

const lastSecond = ({ to, before }: BookRequested): number =>
  Math.min(LAST_SECOND, Math.floor(Math.min(to, before ?? to) / MILLIS));

function requestedOf({ start_time: start, end_time: end, depth }: Requested, asking: KeyedAsking): BookRequested {
  const { after, snapshot, offset } = asking;
  // A range of a single timestamp gives the book as of that time.
  const isTimestamp = start !== undefined && start.value === end?.value;
  const [from, to] = [start && timestampMicros(start) / MILLIS, end && timestampMicros(end) / MILLIS];
  return {
    from: isTimestamp ? 0 : Math.ceil(from ?? 0),
    to: Math.floor(to ?? Number.MAX_SAFE_INTEGER),
    before: after && Date.parse(String(after[0])),
    snapshot,
    offset,
    // One row, which an offset skips: it does not reach an earlier book.
    rows: isTimestamp ? Number(offset === 0) : asking.depth - offset,
    depth: depth && Number(depth.value),
  };
}

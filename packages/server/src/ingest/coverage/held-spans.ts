import type { Kysely } from "kysely";
import type { Connector } from "../../definition/connector.ts";
import type { Held, HeldOf, Maker } from "../../definition/coverage.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import { findFeeding, isSelective } from "./feeding.ts";
import { isFresh, spansOf } from "./judge-stream.ts";
import { type Written, readWritten } from "./read-records.ts";
import { mergeSpans, without, type Span } from "../../definition/spans.ts";

const LIFE_MS = 1000;
/** While a read is pending no other starts for this long (ms): not every request queries unresponsive records. */
const SILENT_LIFE_MS = 5000;

export type KeptWritten = {
  /** The records, read at most once a second. Throws if they cannot be read. */
  readonly read: () => Promise<Written>;
  /** The last successful read and its time; undefined if there was none. */
  readonly last: () => { readonly at: number; readonly written: Written } | undefined;
};

export function keepWritten(db: Kysely<RecordsSchema>, clock: Pick<Clock, "now" | "monotonicMs">): KeptWritten {
  let kept: { readonly since: number; readonly written: Promise<Written>; lifeMs: number } | undefined;
  let last: { readonly at: number; readonly written: Written } | undefined;
  return {
    last: () => last,
    read: () => {
      const [at, since] = [clock.now(), clock.monotonicMs()];
      if (kept !== undefined && since - kept.since < kept.lifeMs) return kept.written;
      const reading = { since, written: readWritten(db), lifeMs: SILENT_LIFE_MS };
      kept = reading;
      const remember = (written: Written): void => {
        reading.lifeMs = LIFE_MS;
        last = { at, written };
      };
      const giveUp = (): void => {
        if (kept === reading) kept = undefined;
      };
      reading.written.then(remember, giveUp);
      return reading.written;
    },
  };
}

type Options = {
  readonly connectors: readonly Connector[];
  readonly makers: readonly Maker[];
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  /** Current venue time (Unix ms). */
  readonly venueNow: () => number;
};

/**
 * When rows of a table were ingested, per venue, from the control records: the spans its streams covered, minus the
 * gaps. A venue with several streams counts where all of them did.
 */
export function createHeld({ connectors, makers, db, clock, venueNow }: Options): HeldOf {
  const kept = keepWritten(db, clock);
  return async (table) => {
    const now = clock.now();
    const written = await kept.read();
    const filling = connectors.filter((one) => findFeeding([table], [one], makers).connectors.length > 0);
    const choosing = connectors.filter((one) => findFeeding([table], [one], makers).choosing.length > 0);
    return heldBy([...filling, ...choosing], written, { clock: now, venue: venueNow() });
  };
}

function heldBy(streams: readonly Connector[], written: Written, now: { clock: number; venue: number }): Held {
  const held: Record<string, readonly Span[]> = {};
  for (const stream of streams) {
    const spans = without(reachedBy(stream, written, now), gapsOf(stream.name, written, now.venue));
    const before = held[stream.venue];
    held[stream.venue] = before === undefined ? spans : overlap(before, spans);
  }
  return held;
}

function reachedBy(stream: Connector, written: Written, now: { clock: number; venue: number }): Span[] {
  const row = written.streams.get(stream.name);
  // A stream that just found nothing more covers up to now, however old its newest row. A selective one, which requests
  // one thing after the other or may have no budget left, found nothing of the rest.
  const isWhole = row !== undefined && !isSelective(stream) && isFresh(row, stream, now.clock);
  const rest = isWhole && row.reached ? [{ from: row.reached.getTime(), to: now.venue }] : [];
  return mergeSpans([...spansOf(stream.name, written), ...rest]);
}

const gapsOf = (stream: string, { gaps }: Written, now: number): Span[] =>
  mergeSpans(
    gaps
      .filter((gap) => gap.stream === stream && gap.instrument === null)
      .map(({ from_at: from, to_at: to }) => ({ from: from.getTime(), to: to?.getTime() ?? now })),
  );

function overlap(one: readonly Span[], other: readonly Span[]): Span[] {
  return one.flatMap((a) =>
    other.flatMap((b) => {
      const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
      return from < to ? [{ from, to }] : [];
    }),
  );
}

import type { Kysely } from "kysely";
import type { Connector } from "../../definition/connector.ts";
import type { Requested, Coverage, CoverageOf, Maker } from "../../definition/coverage.ts";
import { sourcesOf, type Derivation } from "../../definition/derivation.ts";
import { inTime } from "../../definition/pacing.ts";
import { venueBegan, type Venue } from "../../definition/vocabulary.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import { createFeedingLookup, type Feeding } from "./feeding.ts";
import { createFollowedLookup, unfollowed, type Followed } from "./followed.ts";
import { judgeStream } from "./judge-stream.ts";
import { keepWritten } from "./held-spans.ts";
import { reportChoice, reportGaps, reportLate, reportOff, derivedBy } from "./report-gaps.ts";
import { type FilledGap, type Written, type WrittenGap, findNewestFilled, readFilled } from "./read-records.ts";
import type { Span } from "../../definition/spans.ts";

/** Longest wait (ms) of a query for the control records, if an earlier read can be used. */
const PATIENCE_MS = 1000;
/** Number of lookups kept per read of the records. */
const MAX_KEYS = 500;

/** Records carry the machine's time, rows the venue's. */
type Nows = { readonly clock: number; readonly venue: number; readonly began: (venue: Venue) => number };

/**
 * Computes the coverage of a query from the control records alone, so it works in a process that does not ingest.
 * Records are read at most once a second; while they fail or do not respond, the last read is reported as incomplete.
 */
export function createCoverage(options: {
  readonly connectors: readonly Connector[];
  readonly derivations: readonly Derivation[];
  /** Other makers of derived tables. */
  readonly makers?: readonly Maker[];
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  /** Current venue time (Unix ms), as paper exchanges may run at another speed; the machine's when absent. */
  readonly venueNow?: () => number;
  /** Before this time (Unix ms) a venue had no rows. */
  readonly began?: (venue: Venue) => number;
}): CoverageOf {
  const { connectors, db, clock, venueNow = clock.now, began: beganOf = venueBegan } = options;
  const makers = [...options.derivations.map(toMaker), ...(options.makers ?? [])];
  const feedingOf = createFeedingLookup(connectors, makers);
  const kept = keepWritten(db, clock);
  const findSince = createFollowedLookup(db, clock);
  const findFilled = createFilledLookup(db);
  const [lateOf, generalOf] = [oncePerRead<readonly FilledGap[]>(), oncePerRead<Coverage>()];
  return async (tables, { venue, venues = venue === undefined ? undefined : [venue], ...about }) => {
    const feeding = feedingOf(tables, venues);
    const judged = (written: Written, found: Found = {}): Coverage =>
      judge(
        feeding,
        written,
        { ...about, ...found, tables },
        { clock: clock.now(), venue: venueNow(), began: beganOf },
      );
    const reportOf = async (written: Written, followed?: Followed): Promise<Coverage> => {
      const { began } = about;
      return judged(written, {
        ...(followed && { followed }),
        filled: began === undefined ? [] : await findFilled(written, Date.parse(began)),
        filledLate:
          feeding.makers.length === 0
            ? []
            : await lateOf(written, () => findFilled(written, derivedBy(makers, written))),
      });
    };
    const report = async (): Promise<Coverage> => {
      const { instruments, began } = about;
      const followed = instruments && (await findSince(feeding.connectors, instruments));
      const written = await kept.read();
      if (instruments !== undefined || began !== undefined) return reportOf(written, followed);
      return generalOf(written, () => reportOf(written), JSON.stringify([tables, venues, about]));
    };
    try {
      return await (kept.last() === undefined
        ? report()
        : inTime(report(), PATIENCE_MS, () => new Error("no answer in time")));
    } catch (error) {
      const last = kept.last();
      if (last === undefined) throw error;
      const reported = judged(last.written);
      const reason = `The control records cannot be read now: this is their state at ${new Date(last.at).toISOString()}.`;
      return { ...reported, complete: false, reasons: [reason, ...reported.reasons] };
    }
  };
}

/** Looked up per query: gaps filled since its walk began, and gaps filled later than the derived watermark. */
type Found = {
  readonly followed?: Followed;
  readonly filled?: readonly WrittenGap[];
  readonly filledLate?: readonly FilledGap[];
};
type About = Omit<Requested, "venue" | "venues"> & Found & { readonly tables: readonly string[] };

function judge(feeding: Feeding, written: Written, about: About, now: Nows): Coverage {
  const { instruments, followed } = about;
  const requested = requestedSpan(about, now.venue);
  const stateOf = ({ name }: Connector): string | undefined => written.streams.get(name)?.state;
  const on = feeding.connectors.filter((each) => stateOf(each) !== "off" && stateOf(each) !== "replaced");
  const replacedBy = (connector: Connector): Connector[] =>
    feeding.connectors.filter((each) => each.kind === "pull" && each.replacedBy === connector.name);
  const since = ({ venue }: Connector): Span => ({
    from: Math.min(requested.to, Math.max(requested.from, now.began(venue))),
    to: requested.to,
  });
  const judged = on.map((connector) => {
    const reported = judgeStream(connector, replacedBy(connector), written, since(connector), now.clock);
    return feeding.finer.has(connector)
      ? { ...reported, missing: undefined, span: undefined, isCounted: false }
      : reported;
  });
  const whole = on.filter((connector) => !feeding.finer.has(connector));
  const counted = new Map([...whole, ...whole.flatMap(replacedBy)].map((one) => [one.name, since(one).from]));
  const isAbout = ({ instrument }: WrittenGap): boolean =>
    instrument === null || instruments?.includes(instrument) !== false;
  const gapsIn = <Gap extends WrittenGap>(gaps: readonly Gap[], { to }: Span): Gap[] =>
    gaps.filter((gap) => {
      const from = counted.get(gap.stream);
      return from !== undefined && isAbout(gap) && touches(gap, { from, to });
    });
  const reported = reportGaps(
    gapsIn(written.gaps, requested),
    gapsIn(about.filled ?? [], untilBegan(requested, about, now)),
  );
  const always = [
    ...feeding.orphans.map((table) => `No stream fills ${table}.`),
    ...reportSilent(feeding, on, stateOf),
    ...feeding.choosing.map((connector) => reportChoice(connector, written, now.clock)),
  ];
  const isOfRange = always.length === 0 && judged.every(({ isCounted, span }) => !isCounted || span !== undefined);
  const reasons = [
    ...always,
    ...judged.flatMap(({ lag, missing }) => [lag ?? [], missing ?? []].flat()),
    ...(followed ? unfollowed(whole, instruments ?? [], followed, requested) : []),
    ...reportLate(feeding, written, requested, now.clock, gapsIn(about.filledLate ?? [], requested)),
    ...reportGone(about.tables, written, requested),
    ...reported.reasons,
  ];
  const spans = judged.filter(({ isCounted }) => isCounted).map(({ span }) => span);
  return {
    complete: reasons.length === 0,
    from: latestStart(spans),
    to: slowest(spans),
    gaps: reported.gaps,
    reasons,
    ...(reasons.length > 0 && isOfRange ? { isOfRange } : {}),
  };
}

function requestedSpan(range: About, now: number): Span {
  const from = range.from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(range.from);
  const to = range.to === undefined ? now : Math.min(now, Date.parse(range.to));
  return { from, to: Math.max(from, to) };
}

/** The part of the requested range that was past when a walk began: the walk has nothing newer. */
function untilBegan(requested: Span, { began }: About, now: Nows): Span {
  if (began === undefined) return requested;
  return { from: requested.from, to: Math.min(requested.to, now.venue - (now.clock - Date.parse(began))) };
}

const toMaker = (derivation: Derivation): Maker => ({
  ...derivation,
  from: sourcesOf(derivation),
  finerBy: derivation.also ?? [],
  everySeconds: 0,
});

function touches({ from_at, to_at }: WrittenGap, requested: Span): boolean {
  return from_at.getTime() <= requested.to && (to_at === null || to_at.getTime() >= requested.from);
}

/** The time from which every stream covers its rows; null if unbounded, or if nothing is covered. */
function latestStart(spans: readonly (Span | undefined)[]): string | null {
  const starts = spans.flatMap((span) => (span && Number.isFinite(span.from) ? [span.from] : []));
  return starts.length === 0 ? null : new Date(Math.max(...starts)).toISOString();
}

function slowest(spans: readonly (Span | undefined)[]): string | null {
  const ends = spans.flatMap((span) => (span ? [span.to] : []));
  return ends.length === 0 || ends.length < spans.length ? null : new Date(Math.min(...ends)).toISOString();
}

/** A sentence for each kind of expired row of the tables that lay in the requested range. */
function reportGone(tables: readonly string[], { retention }: Written, requested: Span): string[] {
  return retention.flatMap(({ title, table_name: table, gone_before: gone }) => {
    if (gone === null || !tables.includes(table) || requested.from >= gone.getTime()) return [];
    return [`${title} before ${gone.toISOString()} were removed.`];
  });
}

/** Venues or tables whose streams are all off get nothing, whatever other streams bring. */
function reportSilent(
  { connectors, byTable }: Feeding,
  on: readonly Connector[],
  stateOf: (connector: Connector) => string | undefined,
): string[] {
  const running = new Set(on);
  const venues = new Set(on.map(({ venue }) => venue));
  const isServed = (each: Connector): boolean =>
    running.has(each) || on.some(({ name }) => each.kind === "pull" && each.replacedBy === name);
  const unserved = byTable.filter((streams) => !streams.some(isServed)).flat();
  const silent = [
    ...connectors.filter(({ venue }) => !venues.has(venue)),
    ...unserved.filter((each) => stateOf(each) === "off"),
  ];
  return [...new Set(silent)].map(reportOff);
}

/**
 * Looks up gaps that were filled after a time (Unix ms) and so are not among the open ones read. The newest fill time
 * is queried once per read of the records, and after it, so that no gap is missing from both.
 */
function createFilledLookup(
  db: Kysely<RecordsSchema>,
): (written: Written, since: number) => Promise<readonly FilledGap[]> {
  const newestOf = oncePerRead<number>();
  return async (written, since) =>
    since < (await newestOf(written, () => findNewestFilled(db))) ? await readFilled(db, new Date(since)) : [];
}

/** Looks each key up once per read of the records; again if that failed, or beyond MAX_KEYS keys. */
function oncePerRead<Answer>(): (written: Written, look: () => Promise<Answer>, key?: string) => Promise<Answer> {
  const reads = new WeakMap<Written, Map<string, Promise<Answer>>>();
  return (written, look, key = "") => {
    const kept = reads.get(written) ?? new Map<string, Promise<Answer>>();
    reads.set(written, kept);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const found = look();
    if (kept.size < MAX_KEYS) kept.set(key, found);
    found.catch(() => kept.delete(key));
    return found;
  };
}

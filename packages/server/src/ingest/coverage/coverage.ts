import type { Kysely } from "kysely";
import type { Connector } from "../../definition/connector.ts";
import type { Asked, Coverage, CoverageOf, Gap } from "../../definition/coverage.ts";
import { sourcesOf, type Derivation } from "../../definition/derivation.ts";
import { inTime } from "../../definition/in-time.ts";
import type { Maker } from "../../definition/maker.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import { findFeeding, type Feeding } from "./feeding.ts";
import { createFollowedLookup, unfollowed, type Followed } from "./followed.ts";
import { judgeStream } from "./judge-stream.ts";
import { keepWritten } from "./keep-written.ts";
import { tellChoice } from "./tell-choice.ts";
import { tellGone } from "./tell-gone.ts";
import { tellLate } from "./tell-late.ts";
import { tellSilent } from "./tell-silent.ts";
import type { Written, WrittenGap } from "./read-records.ts";
import type { Span } from "../../definition/spans.ts";

/** No question waits longer for the records where something is known of them. */
const PATIENCE_MS = 1000;
const MOST_GAPS = 100;

/** Records are stamped by the machine's clock, rows by the venue's. */
type Nows = { readonly clock: number; readonly venue: number };

/**
 * What the store holds of what is asked, from the control records alone: it works in a process that gathers nothing.
 * The records are read at most once a second. While they cannot be read, or are silent, what they said last is told, as
 * incomplete.
 */
export function createCoverage(options: {
  readonly connectors: readonly Connector[];
  readonly derivations: readonly Derivation[];
  /** What else works tables out. */
  readonly makers?: readonly Maker[];
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  /** Now by the venues' clock (Unix ms), where paper exchanges run at another speed; the machine's when absent. */
  readonly venueNow?: () => number;
}): CoverageOf {
  const { connectors, db, clock, venueNow = clock.now } = options;
  const makers = [...options.derivations.map(toMaker), ...(options.makers ?? [])];
  const kept = keepWritten(db, clock);
  const findSince = createFollowedLookup(db);
  return async (tables, { venue, venues = venue === undefined ? undefined : [venue], ...about }) => {
    const feeding = findFeeding(tables, connectors, makers, venues);
    const judged = (written: Written, followed?: Followed): Coverage =>
      judge(
        feeding,
        written,
        { ...about, tables, ...(followed ? { followed } : {}) },
        { clock: clock.now(), venue: venueNow() },
      );
    const tell = async (): Promise<Coverage> => {
      const followed = await findSince(feeding.connectors, about.instruments ?? []);
      return judged(await kept.read(), followed);
    };
    try {
      return await (kept.last() === undefined
        ? tell()
        : inTime(tell(), PATIENCE_MS, () => new Error("no word in time")));
    } catch (error) {
      const last = kept.last();
      if (last === undefined) throw error;
      const told = judged(last.written);
      const reason = `The control records cannot be read now: this is how they were at ${new Date(last.at).toISOString()}.`;
      return { ...told, complete: false, reasons: [reason, ...told.reasons] };
    }
  };
}

type About = Omit<Asked, "venue" | "venues"> & {
  readonly tables: readonly string[];
  readonly followed?: Followed;
};

function judge(feeding: Feeding, written: Written, about: About, now: Nows): Coverage {
  const { instruments, followed } = about;
  const asked = askedSpan(about, now.venue);
  const stateOf = ({ name }: Connector): string | undefined => written.streams.get(name)?.state;
  const on = feeding.connectors.filter((each) => stateOf(each) !== "off" && stateOf(each) !== "replaced");
  const replacedBy = (connector: Connector): Connector[] =>
    feeding.connectors.filter((each) => each.kind === "pull" && each.replacedBy === connector.name);
  const judged = on.map((connector) => judgeStream(connector, replacedBy(connector), written, asked, now.clock));
  const counted = new Set([...on, ...on.flatMap(replacedBy)].map(({ name }) => name));
  const isAbout = ({ instrument }: WrittenGap): boolean =>
    instrument === null || instruments?.includes(instrument) !== false;
  const gaps = written.gaps.filter((gap) => counted.has(gap.stream) && isAbout(gap) && touches(gap, asked));
  const reasons = [
    ...feeding.orphans.map((table) => `Nothing fills ${table}.`),
    ...tellSilent(feeding, on, stateOf),
    ...feeding.choosing.map((connector) => tellChoice(connector, written, now.clock)),
    ...judged.flatMap((each) => each.reasons),
    ...(followed ? unfollowed(on, instruments ?? [], followed, asked) : []),
    ...tellLate(feeding, written, asked, now.clock),
    ...tellGone(about.tables, written, asked),
    ...countGaps(gaps),
  ];
  const spans = judged.filter(({ isCounted }) => isCounted).map(({ span }) => span);
  return {
    complete: reasons.length === 0,
    from: latestStart(spans),
    to: slowest(spans),
    gaps: gaps.slice(0, MOST_GAPS).map(toGap),
    reasons,
  };
}

function askedSpan(range: About, now: number): Span {
  const from = range.from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(range.from);
  const to = range.to === undefined ? now : Math.min(now, Date.parse(range.to));
  return { from, to: Math.max(from, to) };
}

const toMaker = (derivation: Derivation): Maker => ({ ...derivation, from: sourcesOf(derivation), everySeconds: 0 });

function touches({ from_at, to_at }: WrittenGap, asked: Span): boolean {
  return from_at.getTime() <= asked.to && (to_at === null || to_at.getTime() >= asked.from);
}

function countGaps(gaps: readonly WrittenGap[]): string[] {
  const all = gaps.reduce((sum, { alike }) => sum + alike, 0);
  if (all === 0) return [];
  const lost = gaps.reduce((sum, { alike, unfillable }) => sum + (unfillable === null ? 0 : alike), 0);
  const [count, those] =
    all === 1 ? ["1 gap lies", "it"] : [`${all} gaps lie`, lost === all ? "they" : `${lost} of them`];
  return [`${count} in the asked time${lost === 0 ? "" : `; ${those} cannot be filled`}.`];
}

function toGap({ instrument, from_at, to_at, reason, unfillable }: WrittenGap): Gap {
  const what = instrument === null ? reason : `${instrument}: ${reason}`;
  return {
    from: from_at.toISOString(),
    to: to_at?.toISOString() ?? null,
    reason: unfillable === null ? what : `${what}; cannot be filled: ${unfillable}`,
  };
}

/** From then on every stream holds its rows; null where they reach back without end, or nothing is held. */
function latestStart(spans: readonly (Span | undefined)[]): string | null {
  const starts = spans.flatMap((span) => (span && Number.isFinite(span.from) ? [span.from] : []));
  return starts.length === 0 ? null : new Date(Math.max(...starts)).toISOString();
}

function slowest(spans: readonly (Span | undefined)[]): string | null {
  const ends = spans.flatMap((span) => (span ? [span.to] : []));
  return ends.length === 0 || ends.length < spans.length ? null : new Date(Math.min(...ends)).toISOString();
}

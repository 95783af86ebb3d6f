import type { Session, Decoded } from "../../definition/session.ts";
import type { LinkOptions } from "./link.ts";
import { parkArrival } from "./park-arrival.ts";
import type { Pipeline, PipelineOptions } from "./pipeline.ts";
import type { GapKeeper } from "./gap-keeper.ts";

type Broken = NonNullable<Decoded["broken"]>[number];

const MAX_INSTRUMENT_GAPS = 100;
const NAMED = "instrument ";
const REFUSED = "many of its instruments cannot be fetched";
const NONE = "the venue has no state of it";

const nameOf = (instrument: string): string => `${NAMED}${instrument}`;

/** Opens the gap of one instrument, or of its entire socket (`key`) if many have their own already. */
function openGap(gaps: GapKeeper, key: string, { instrument, reason, since }: Broken, lastGood: number): void {
  const from = Math.min(since ?? lastGood, lastGood);
  const isOne = gaps.count(NAMED) < MAX_INSTRUMENT_GAPS;
  if (isOne) gaps.open(nameOf(instrument), { from, reason, instrument });
  else gaps.open(key, { from, reason });
}

/**
 * Its own gap stays open until the venue has a state of it or it is no longer followed; the socket's gap need not wait
 * for it. Returns false if there are too many.
 */
function leaveOpen(gaps: GapKeeper, instrument: string, from: number): boolean {
  if (!gaps.has(nameOf(instrument)) && gaps.count(NAMED) >= MAX_INSTRUMENT_GAPS) return false;
  gaps.open(nameOf(instrument), { from, reason: NONE, instrument });
  return true;
}

/** Unavailable instruments: each has an ongoing gap; beyond a bound, the socket's (`key`) stays open for them. */
function keepOutOfReach(gaps: GapKeeper, key: string) {
  const unnamed = new Set<string>();
  return {
    add: (instruments: readonly string[], from: number): void => {
      for (const instrument of instruments) {
        if (leaveOpen(gaps, instrument, from)) continue;
        unnamed.add(instrument);
        gaps.open(key, { from, reason: REFUSED });
      }
    },
    forget: (instrument: string): void => {
      unnamed.delete(instrument);
    },
    areNamed: (): boolean => unnamed.size === 0,
  };
}

export type TrustOptions = Pick<LinkOptions, "run" | "key" | "instruments" | "gaps"> & {
  readonly session: Session;
  readonly pipeline: () => Pick<Pipeline, "latestNow" | "lastStored">;
  /** Requests states of these again. */
  readonly want: (instruments: readonly string[]) => void;
};

/** Tracks which instruments of one connection have a trusted state, and the gaps of those that do not. */
export type Trust = Pick<PipelineOptions, "onBroken" | "onRestored" | "onUnreadable"> & {
  /** Fetched states are decoded and stored; `absent` ones have none at the venue. */
  readonly onSynced: (instruments: readonly string[], absent: ReadonlySet<string>) => void;
  /** A comparison with the venue's states showed that updates of these were missed. */
  readonly onMissed: (instruments: readonly string[], reason: string) => void;
  readonly add: (instruments: readonly string[]) => void;
  /** They are about to be left: a broken state in undecoded frames is not fetched again. */
  readonly remove: (instruments: readonly string[]) => void;
  /** They are left, and everything received of them is stored. */
  readonly removed: (instruments: readonly string[]) => void;
  /** Time (Unix ms) from which its stored state may be wrong; undefined if it is empty and right. */
  readonly leave: (instrument: string) => number | undefined;
  readonly isWhole: () => boolean;
  /** The connection is over: nothing can close its gap any more. */
  readonly end: () => void;
};

export function createTrust({ run, key, instruments, gaps, session, pipeline, want }: TrustOptions): Trust {
  const { connector, metrics } = run;
  const unsynced = new Set<string>();
  const leaving = new Set<string>();
  const outOfReach = keepOutOfReach(gaps, key);
  const breaks = countBreaks();
  let isOver = false;

  const onBroken = (broken: readonly Broken[], lastGood: number): void => {
    metrics.frames.inc({ stream: connector.name, outcome: "broken" }, broken.length);
    const ours = broken.filter(({ instrument }) => instruments.has(instrument));
    const left = broken.filter(({ instrument }) => leaving.has(instrument));
    for (const { instrument } of ours) unsynced.add(instrument);
    breaks.count([...ours, ...left]);
    for (const each of [...ours, ...left]) openGap(gaps, key, each, lastGood);
    want(ours.map(({ instrument }) => instrument));
  };
  const restore = (restored: readonly string[]): void => {
    const to = pipeline().latestNow();
    for (const instrument of restored) {
      unsynced.delete(instrument);
      outOfReach.forget(instrument);
      gaps.close(nameOf(instrument), to);
    }
    const kept = restored.filter((instrument) => instruments.has(instrument));
    run.followed.note(kept, to);
    if (unsynced.size === 0 && outOfReach.areNamed() && !isOver) gaps.close(key, to);
  };

  return {
    onBroken,
    onRestored: (restored) => breaks.unlessAgain(restored, restore),
    onSynced: (synced, absent) => {
      const { whole, refused, without } = sortSynced(session, instruments, synced, absent);
      const from = pipeline().latestNow();
      outOfReach.add(refused, from);
      const left = without.filter((instrument) => leaveOpen(gaps, instrument, from));
      for (const instrument of [...refused, ...left]) unsynced.delete(instrument);
      restore(whole);
      want(without);
    },
    onMissed: (missed, reason) => onBroken(distrusted(session, missed, reason), pipeline().lastStored()),
    onUnreadable: (arrival, error, from) => {
      const { wrong, instruments: about } = parkArrival(run, arrival, error, instruments);
      if (connector.isEarly) return;
      const reason = `upstream changed: ${wrong.field}: ${wrong.problem}`;
      onBroken(reasoned(about, reason), from);
    },
    ...coming(unsynced, leaving),
    removed: (gone) => {
      for (const instrument of gone) leaving.delete(instrument);
      restore(gone);
    },
    leave: (instrument) => leave(session, instrument, run.venueNow(), pipeline().latestNow()),
    isWhole: () => unsynced.size === 0 && !isOver,
    end: () => {
      isOver = true;
    },
  };
}

/** Counts how often each instrument broke, so that a state decoded before the last time does not restore it. */
function countBreaks() {
  const counts = new Map<string, number>();
  return {
    count: (broken: readonly Broken[]): void => {
      for (const { instrument } of broken) counts.set(instrument, (counts.get(instrument) ?? 0) + 1);
    },
    /** Returns a function that passes on those of the instruments that have not broken since this call. */
    unlessAgain: (instruments: readonly string[], then: (whole: readonly string[]) => void) => {
      const before = new Map(instruments.map((instrument) => [instrument, counts.get(instrument)]));
      return () => then(instruments.filter((instrument) => counts.get(instrument) === before.get(instrument)));
    },
  };
}

const reasoned = (about: readonly string[], reason: string): Broken[] =>
  about.map((instrument) => ({ instrument, reason }));

const distrusted = (session: Session, missed: readonly string[], reason: string): Broken[] =>
  missed.flatMap((instrument) => session.distrust?.(instrument, reason).broken ?? []);

/** Instruments with a trusted state, unavailable ones, and others without a state at the venue. */
function sortSynced(
  session: Session,
  instruments: ReadonlySet<string>,
  synced: readonly string[],
  absent: ReadonlySet<string>,
) {
  const isWhole = (instrument: string): boolean => session.isWhole?.(instrument) !== false;
  const isRefused = (instrument: string): boolean => session.isOutOfReach?.(instrument) === true;
  const lacking = synced.filter((instrument) => !isWhole(instrument) && instruments.has(instrument));
  return {
    whole: synced.filter(isWhole),
    refused: lacking.filter(isRefused),
    without: lacking.filter((instrument) => absent.has(instrument) && !isRefused(instrument)),
  };
}

/** Added instruments have no state yet; removed ones need none. */
function coming(unsynced: Set<string>, leaving: Set<string>): Pick<Trust, "add" | "remove"> {
  return {
    add: (added) => {
      for (const instrument of added) {
        unsynced.add(instrument);
        leaving.delete(instrument);
      }
    },
    remove: (removed) => {
      for (const instrument of removed) {
        unsynced.delete(instrument);
        leaving.add(instrument);
      }
    },
  };
}

function leave(session: Session, instrument: string, now: number, otherwise: number): number | undefined {
  const isEmpty = session.follows?.({ instrument, state: null }, now) === true;
  if (session.isWhole?.(instrument) === true && isEmpty) return undefined;
  return session.distrust?.(instrument, "left").broken?.[0]?.since ?? otherwise;
}

import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema, StoredChanges } from "../../records/schema.ts";
import type { Left } from "../../store/change-counts.ts";
import type { Clock } from "../clock.ts";
import { withinTime } from "../within-time.ts";
import { readLog } from "./log-record.ts";

/** Whom it is told what was stored. */
export type Hearer = {
  readonly changed: (table: string, left: Left) => void;
  /** Any table may have changed, and nobody knows how or since when. */
  readonly missed: () => void;
};

/** What a process hears of what is stored, by itself or by another one. */
export type Hearing = {
  /** Tells it from now on, and what was told since this was opened. */
  readonly begin: (hearer: Hearer) => void;
  /** All that was stored until a moment ago was heard of. */
  readonly isCurrent: () => boolean;
  /** Milliseconds of which it is not known what was stored; infinite before it is heard first, and where nobody tells. */
  readonly behindMs: () => number;
};

export type HearOptions = {
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  /** Neither stands still nor jumps (ms). */
  readonly monotonicMs?: () => number;
  readonly log: Pick<Logger, "warn">;
  /** Ends it. */
  readonly signal: AbortSignal;
};

const EVERY_MS = 200;
const MOST_MS = 5_000;
/** Who has not heard for longer does not know what is stored. */
export const CURRENT_MS = 1_000;

/** Reads over and over what the leader tells of what it stores. */
export async function hearStored({
  db,
  clock,
  monotonicMs = () => performance.now(),
  log,
  signal,
}: HearOptions): Promise<Hearing> {
  /** The last number that was heard, and until when all is heard that was stored. */
  let [heard, through] = [(await readLog(db)).seq, Number.NEGATIVE_INFINITY];

  const hear = async (hearer: Hearer): Promise<void> => {
    const asked = monotonicMs();
    const { seq, ageMs, told } = await withinTime(MOST_MS, clock, readLog(db, heard));
    if (told === undefined) hearer.missed();
    for (const changes of told ?? []) tellOf(changes, hearer);
    heard = seq;
    through = ageMs === undefined ? Number.NEGATIVE_INFINITY : asked - ageMs;
  };
  const run = async (hearer: Hearer): Promise<void> => {
    let isHearing = true;
    while (!signal.aborted) {
      try {
        await hear(hearer);
        isHearing = true;
      } catch (error) {
        if (signal.aborted) return;
        if (isHearing) log.warn({ err: error }, "it cannot be heard what is stored: the column engine answers");
        isHearing = false;
      }
      await clock.sleep(EVERY_MS, signal).catch(() => undefined);
    }
  };
  const behindMs = (): number => monotonicMs() - through;
  let running: Promise<void> | undefined;
  return {
    begin: (hearer) => void (running ??= run(hearer)),
    isCurrent: () => behindMs() < CURRENT_MS,
    behindMs,
  };
}

function tellOf(changes: StoredChanges, { changed, missed }: Hearer): void {
  if (changes === "everything") return missed();
  for (const { table, left, unknown } of changes) {
    const spans = left.map(([from, to]) => ({ from, to }));
    changed(table, spans);
    if (unknown) changed(table, "unknown");
  }
}

import type { Rebuilt } from "./socket/rebuilt-books.ts";
import type { Tally } from "./tally.ts";

/** What came of one recorded stream. */
export type StreamCount = {
  readonly stream: string;
  readonly in: number;
  readonly unique: number;
  /** Rightly not kept; the note says why. */
  readonly setAside?: number;
  readonly stored: number;
  /** Null where no dataset gives these rows: then the stored ones themselves are compared. */
  readonly answered: number | null;
  readonly lost: number;
  readonly doubled: number;
  readonly seconds?: number;
  /** What a reader of the figures must know. */
  readonly note?: string;
  /** Of a stream of changes: how the books rebuilt from them compare with the recorded whole ones. */
  readonly rebuilt?: Rebuilt;
  /** Some of what differs. */
  readonly differences?: readonly string[];
};

const MOST_SHOWN = 5;

/** The figures of a stream whose every row was compared. */
export function countOf(
  stream: string,
  tally: Tally,
  counts: { readonly in: number; readonly stored: number; readonly note?: string },
): StreamCount {
  return {
    stream,
    ...counts,
    unique: tally.recorded,
    ...(tally.asideCount > 0 && { setAside: tally.asideCount }),
    answered: tally.answered,
    lost: tally.lost(),
    doubled: tally.doubled(),
    differences: tally.differences(MOST_SHOWN),
  };
}

/** Whether all that was recorded is stored once, and answered as it was recorded. */
export function isWhole(count: StreamCount): boolean {
  const { unique, setAside = 0, stored, answered, lost, doubled } = count;
  if (unique === 0 || stored !== unique - setAside) return false;
  return (answered === null || answered === stored) && lost === 0 && doubled === 0;
}

import type { FillableGap } from "./fill-record.ts";

/** What a walk of a stream's past goes over: ISO, half-open. */
export type BackfillRange = {
  readonly stream: string;
  readonly from: string;
  readonly to: string;
  /** Set for a walk that fills gaps, of the stream itself or of another one. */
  readonly gaps?: readonly FillableGap[];
  /** When this process began it, where that was at its start: all of it before its place was read since. */
  readonly began?: Date;
};

/** Ends the reason of a gap that a backfill itself noticed: finishing it does not fill that gap. */
export function seenBy({ from, to }: Pick<BackfillRange, "from" | "to">): string {
  return ` (seen while backfilling ${from} to ${to})`;
}

import type { Batch } from "../definition/connector.ts";
import type { Clock } from "./clock.ts";

export type BackfillProgress = {
  readonly rows: number;
  readonly rowsPerSecond: number;
  /** Where the walk is in time (ISO); undefined before it said so. */
  readonly position: string | undefined;
  /** Share of the range walked, 0 to 1, and the seconds left at this run's speed; undefined while not known. */
  readonly share: number | undefined;
  readonly etaSeconds: number | undefined;
};

export type BackfillTracker = {
  /** Rows that earlier runs stored. */
  readonly startAt: (rows: number) => void;
  readonly add: (batch: Pick<Batch, "reached" | "since">, stored: number) => void;
  readonly rows: () => number;
};

/** Follows a walk of a range (ISO) and tells how far it is. What a batch does not say stays as the one before said. */
export function trackBackfill(
  range: { readonly from: string; readonly to: string },
  clock: Clock,
  onProgress?: (progress: BackfillProgress) => void,
): BackfillTracker {
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  const startedAt = clock.now();
  let before: number | undefined;
  let added = 0;
  let first: number | undefined;
  let last: { position: string | undefined; share: number | undefined } = { position: undefined, share: undefined };
  const look = ({ reached, since }: Pick<Batch, "reached" | "since">): typeof last => {
    // A walk that goes forward may say its beginning with every batch.
    const position = reached ?? since;
    if (position === undefined) return last;
    const share = (reached === undefined ? to - Date.parse(position) : Date.parse(position) - from) / (to - from);
    return { position, share: Math.min(1, Math.max(0, share)) };
  };
  return {
    startAt: (rows) => (before ??= rows),
    add: (batch, stored) => {
      added += stored;
      const seconds = Math.max(0.001, (clock.now() - startedAt) / 1000);
      last = look(batch);
      first ??= last.share;
      const gained = last.share === undefined || first === undefined ? 0 : last.share - first;
      onProgress?.({
        ...last,
        rows: (before ?? 0) + added,
        rowsPerSecond: added / seconds,
        etaSeconds: gained > 0 && last.share !== undefined ? ((1 - last.share) / gained) * seconds : undefined,
      });
    },
    rows: () => (before ?? 0) + added,
  };
}

import type { IndexSpan } from "../definition/coverage.ts";
import type { PageBytes } from "./read-page.ts";

/** A page plus what the next page of its walk needs: its snapshot and read time (Unix ms). */
export type KeptPage = PageBytes & {
  readonly snapshot: string;
  readonly began: number;
  /** Time span of the index it was read from, if the column engine was not queried. */
  readonly index?: IndexSpan;
  /** Changes made to its rows for this caller. */
  readonly warnings?: readonly string[];
  /** Whether its sources are unchanged since, as far as this process knows. */
  readonly isCurrent: () => boolean;
  /** Whether its sources had been unchanged for a while, so that another read is unlikely to differ. */
  readonly isSettled: boolean;
};

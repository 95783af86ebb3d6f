import type { IndexSpan } from "../definition/coverage.ts";
import type { PageBytes } from "./read-page.ts";

/** A page with what a walk that goes on from it needs: the snapshot it was read on, and when that was (Unix ms). */
export type KeptPage = PageBytes & {
  readonly snapshot: string;
  readonly began: number;
  /** Of what it was read, where the column engine was not asked. */
  readonly index?: IndexSpan;
  /** What was changed of its rows for who asked. */
  readonly warnings?: readonly string[];
  /** What it was read from has not changed since, as far as this process knows. */
  readonly isCurrent: () => boolean;
  /** What it was read from had not changed for a while, so that it is not about to be read otherwise. */
  readonly isSettled: boolean;
};

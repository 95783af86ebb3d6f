import type { StreamResult } from "../campaign/run-result.ts";
import type { Holes } from "./settled-ranges.ts";

/** One stretch of the load. */
export type Stretch = {
  readonly asked: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** First tries that failed, by status or reason. */
  readonly firstFailed: Readonly<Record<string, number>>;
  /** Requests that failed after their second try, by status or reason. */
  readonly failed: Readonly<Record<string, number>>;
  /** Answered, and said to be not complete. */
  readonly saidIncomplete: number;
};

/** What was asked and failed within 100 ms. */
export type Tenth = { readonly at: number; readonly asked: number; readonly failed: number; readonly mostMs: number };

export type FaultResult = {
  readonly name: string;
  readonly about: string;
  readonly seconds: number;
  readonly before: Stretch;
  readonly during: Stretch;
  readonly after: Stretch;
  readonly tenths: readonly Tenth[];
  /** Seconds from the end of the fault until all was ready and no further behind than before; null where it did not become so in time. */
  readonly recoverySeconds: number | null;
  /** Why not, at the last look. */
  readonly notRecovered: readonly string[];
  readonly holes: Holes;
  /** Rows lost and doubled by this fault: what was so before is taken off. */
  readonly lost: number;
  readonly doubled: number;
  /** Answered otherwise than it was; of past books those too that are not answered. */
  readonly wrong: number;
  /** Of lost and wrong ones: those of which coverage says that they may be. */
  readonly admitted: number;
  readonly undeclared: number;
  readonly streams: readonly StreamResult[];
  /** What was still waited for when the time to settle was over. */
  readonly waiting: readonly string[];
  /** What does not hold, a sentence each; empty where all does. */
  readonly problems: readonly string[];
};

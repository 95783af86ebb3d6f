import type { Tally } from "../verify/tally.ts";

/** Agreement of one stream of a run with the ground truth. */
export type StreamResult = Pick<Tally, "stream" | "truth" | "stored" | "lost" | "doubled" | "wrong" | "examples"> & {
  /** Lost or wrong rows that coverage admits. */
  readonly admitted: number;
  /** Lost or wrong rows that coverage does not admit; doubled rows and rows absent from the truth count too. */
  readonly undeclared: number;
  /** Seconds in admitted gaps that miss no row. */
  readonly overAdmittedSeconds: number;
};

export type RunResult = {
  readonly seed: number;
  readonly isGood: boolean;
  readonly source: string;
  /** Kind of fault → number of injections, by the exchanges' own count. */
  readonly injected: Readonly<Record<string, number>>;
  /** Kind of fault → how many were planned, and how many of them struck at least once. */
  readonly strikes: Readonly<Record<string, { readonly planned: number; readonly struck: number }>>;
  /** Kind of kill → count. */
  readonly kills: Readonly<Record<string, number>>;
  readonly streams: readonly StreamResult[];
  /** Problems other than row differences, a sentence each. */
  readonly problems: readonly string[];
  readonly seconds: number;
  /** Seconds until the world was paused, until all was settled, until all was compared. */
  readonly phases?: Readonly<Record<string, number>>;
  /** Why the service was not fully caught up when the time to settle was over; empty when it was. */
  readonly waiting: readonly string[];
};

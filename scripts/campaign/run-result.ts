import type { Tally } from "../verify/tally.ts";

/** How one stream of a run agrees with the truth. */
export type StreamResult = Pick<Tally, "stream" | "truth" | "stored" | "lost" | "doubled" | "wrong" | "examples"> & {
  /** Lost or wrong rows of which coverage says that they may be missing. */
  readonly admitted: number;
  /** Lost or wrong rows of which it says nothing; doubled rows and rows of no truth count too. */
  readonly undeclared: number;
  /** Seconds in admitted gaps of which no row is missing. */
  readonly overAdmittedSeconds: number;
};

export type RunResult = {
  readonly seed: number;
  readonly isGood: boolean;
  readonly source: string;
  /** Kind of fault → how often it was done, by the exchanges' own count. */
  readonly injected: Readonly<Record<string, number>>;
  /** Kind of fault → how many were planned, and how many of them struck at least once. */
  readonly strikes: Readonly<Record<string, { readonly planned: number; readonly struck: number }>>;
  /** Kind of kill → how often. */
  readonly kills: Readonly<Record<string, number>>;
  readonly streams: readonly StreamResult[];
  /** What is wrong beside the rows, a sentence each. */
  readonly problems: readonly string[];
  readonly seconds: number;
  /** Of these: until the world stood still, until all was settled, until all was compared. */
  readonly phases?: Readonly<Record<string, number>>;
  /** Why it was not caught up with everything when the time to settle was over; empty when it was. */
  readonly waiting: readonly string[];
};

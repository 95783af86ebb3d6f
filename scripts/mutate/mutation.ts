export const AREAS = [
  "cursors",
  "snapshots",
  "gap detection",
  "de-duplication",
  "rollback",
  "checkpoint before store",
  "profit",
  "fees",
  "limits",
  "entitlement",
  "coverage",
  "parameters",
  "SQL binding",
  "paging",
  "retention",
  "budgets",
  "leases",
  "serving index",
  "compute engine",
] as const;

/** A plausible mistake in the server: one text replaced by another. It compiles. */
export type Mutation = {
  readonly id: string;
  readonly area: (typeof AREAS)[number];
  /** Path below packages/server/src. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Consequence for a user or operator, in a sentence. */
  readonly breaks: string;
  /** Files below packages/server/test that should notice, the most direct first. */
  readonly tests: readonly string[];
};

export const SOURCE = "packages/server/src";
export const TESTS = "packages/server/test";

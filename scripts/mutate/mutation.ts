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

/** A mistake that somebody could make in the server: one text in the place of another. It compiles. */
export type Mutation = {
  readonly id: string;
  readonly area: (typeof AREAS)[number];
  /** Below packages/server/src. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** What goes wrong for somebody, in a sentence. */
  readonly breaks: string;
  /** Files below packages/server/test that should notice, the nearest first. */
  readonly tests: readonly string[];
};

export const SOURCE = "packages/server/src";
export const TESTS = "packages/server/test";

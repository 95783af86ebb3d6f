import type { Mutation } from "../mutation.ts";

/** What is worked out from the ledger, slice by slice. */
export const COMPUTE_ENGINE: readonly Mutation[] = [
  {
    id: "days-between-skipped",
    area: "compute engine",
    file: "ingest/fold/checkpoints.ts",
    find: "return last <= kept.day ? day : dayAfter(kept.day);",
    replace: "return day;",
    breaks: "a wallet's events between its newest checkpoint and a late row are missing from its figures",
    tests: ["fold/checkpoints.test.ts", "fold/fold-machinery.test.ts"],
  },
  {
    id: "stale-checkpoint-kept",
    area: "compute engine",
    file: "ingest/fold/checkpoints.ts",
    find: "if (dayOfPlace(kept) >= first) store.remove(KEPT, kept);",
    replace: "if (dayOfPlace(kept) > first) store.remove(KEPT, kept);",
    breaks: "a late row is folded, and lost again by the next day, which continues from the old state",
    tests: ["fold/checkpoints.test.ts", "fold/fold-machinery.test.ts"],
  },
  {
    id: "no-tombstones",
    area: "compute engine",
    file: "ingest/fold/fold-work.ts",
    find: "return { table, rows: withTombstones(table, rows, gone), isNew: keys.length === 0 };",
    replace: "return { table, rows: withTombstones(table, rows, []), isNew: keys.length === 0 };",
    breaks: "a day of a wallet whose only fill was rolled back stays in its figures",
    tests: ["fold/wallet-fold.test.ts", "fold/fold-machinery.test.ts"],
  },
  {
    id: "latest-day-first",
    area: "compute engine",
    file: "ingest/fold/fold-reads.ts",
    find: "if (known === undefined || day < known) into.set(value, day);",
    replace: "if (known === undefined || day > known) into.set(value, day);",
    breaks: "of several late rows only the days since the newest are derived again",
    tests: ["fold/earliest.test.ts", "fold/fold-machinery.test.ts"],
  },
  {
    id: "moved-key-dropped",
    area: "compute engine",
    file: "ingest/fold/fold-work.ts",
    find: "if (day < from) moved.set(key, day);",
    replace: "if (day > from) moved.set(key, day);",
    breaks: "a wallet touched while others are being derived keeps its old figures",
    tests: ["fold/touched-meanwhile.test.ts", "fold/fold-machinery.test.ts"],
  },
];

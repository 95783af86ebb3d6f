import type { Mutation } from "../mutation.ts";

/** What an answer says of what is missing from it, and what is kept how long. */
export const COVERAGE: readonly Mutation[] = [
  {
    id: "gap-of-all-forgotten",
    area: "coverage",
    file: "ingest/coverage/coverage.ts",
    find: "    instrument === null || instruments?.includes(instrument) !== false;",
    replace: "    instrument !== null && instruments?.includes(instrument) !== false;",
    breaks: "a gap of an entire stream is not reported",
    tests: ["ingest/coverage.test.ts"],
  },
  {
    id: "partial-walk-whole-again",
    area: "coverage",
    file: "query/open-query.ts",
    find: "return cursor?.wasPartial === true ? ofPartialWalk(reported) : reported;",
    replace: "return cursor?.wasPartial === false ? ofPartialWalk(reported) : reported;",
    breaks: "a walk with an incomplete page is reported complete on the next one",
    tests: ["query/walk-coverage.test.ts"],
  },
  {
    id: "gaps-count-as-held",
    area: "coverage",
    file: "ingest/coverage/held-spans.ts",
    find: "const spans = without(reachedBy(stream, written, now), gapsOf(stream.name, written, now.venue));",
    replace: "const spans = reachedBy(stream, written, now);",
    breaks: "missing posts in a gap are reported as no posts",
    tests: ["social/pulse/held.test.ts"],
  },
  {
    id: "late-post-not-looked-at",
    area: "retention",
    file: "derivations/social-retention/drop-unmatched.ts",
    find: "const lookedAt = sql`ingested_at <= ",
    replace: "const lookedAt = sql`ts <= ",
    breaks: "an old post that arrives late is dropped before it is matched to markets",
    tests: ["social/retention/retention.test.ts"],
  },
  {
    id: "request-forgotten",
    area: "retention",
    file: "derivations/social-retention/drop-old.ts",
    find: "const reported = sql`${before} AND reason != 'request'`;",
    replace: "const reported = sql`${before}`;",
    breaks: "data erased on request returns once the request is old",
    tests: ["social/retention/retention.test.ts"],
  },
  {
    id: "open-gap-dropped",
    area: "retention",
    file: "ingest/control/settled-records.ts",
    find: 'await db.deleteFrom("gaps").where("filled_at", "<", before).execute();',
    replace: 'await db.deleteFrom("gaps").where("opened_at", "<", before).execute();',
    breaks: "a gap that is open for 90 days is dropped, and its time counts as complete",
    tests: ["ingest/written-after.test.ts", "ingest/fill-gaps.test.ts"],
  },
];

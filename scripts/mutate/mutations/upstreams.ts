import type { Mutation } from "../mutation.ts";

/** What keeps this service from hurting upstreams, and two processes from hurting each other: budgets and leases. */
export const UPSTREAMS: readonly Mutation[] = [
  {
    id: "no-reserve-for-live",
    area: "budgets",
    file: "ingest/budget.ts",
    find: "ms: waitFor(bucket, waiter.cost, waiter.isReserving ? bucket.capacity * LIVE_RESERVE : 0, now),",
    replace: "ms: waitFor(bucket, waiter.cost, 0, now),",
    breaks: "a backfill takes the last token, and the newest trades wait",
    tests: ["ingest/budget.test.ts"],
  },
  {
    id: "window-overfull",
    area: "budgets",
    file: "ingest/bucket.ts",
    find: "const perWindow = !isWindow ? ours : ours >= 2 ? ours - capacity : Math.min(1, ours);",
    replace: "const perWindow = !isWindow ? ours : ours >= 2 ? ours : Math.min(1, ours);",
    breaks: "a window holds more calls than the share of the documented limit",
    tests: ["ingest/budget.test.ts"],
  },
  {
    id: "cap-passed",
    area: "budgets",
    file: "ingest/spending.ts",
    find: "spending.micro_usd + ${micro}::bigint <= ${capMicro}::bigint",
    replace: "spending.micro_usd <= ${capMicro}::bigint",
    breaks: "the last call of a day exceeds the spending cap",
    tests: ["connectors/x/spending.test.ts"],
  },
  {
    id: "lost-lease-sure",
    area: "leases",
    file: "ingest/leader/lease.ts",
    find: "const isSure = (): boolean => over === undefined && monotonicMs() < until;",
    replace: "const isSure = (): boolean => monotonicMs() < until;",
    breaks: "a process that knows that another one leads keeps writing until its own lease expires",
    tests: ["leader/lease.test.ts"],
  },
  {
    id: "lease-from-the-answer",
    area: "leases",
    file: "ingest/leader/lead.ts",
    find: "const lease = createLease(token, requested + seconds * 1000 * SURE_SHARE, monotonicMs);",
    replace: "const lease = createLease(token, monotonicMs() + seconds * 1000 * SURE_SHARE, monotonicMs);",
    breaks: "a process whose records answered late believes that it leads after another one took over",
    tests: ["leader/lead.test.ts", "leader/leader.test.ts"],
  },
  {
    id: "renewed-by-anybody",
    area: "leases",
    file: "ingest/leader/leader-record.ts",
    find: '    .set({ expires_at: until(seconds) })\n    .where("name", "=", LEADER)\n    .where("token", "=", token)\n',
    replace: '    .set({ expires_at: until(seconds) })\n    .where("name", "=", LEADER)\n',
    breaks: "a former leader renews the lease of the one that took over, and both write",
    tests: ["leader/leader-record.test.ts"],
  },
];

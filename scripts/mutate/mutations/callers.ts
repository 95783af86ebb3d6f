import type { Mutation } from "../mutation.ts";

/** What keeps callers apart: limits and entitlement. */
export const CALLERS: readonly Mutation[] = [
  {
    id: "refused-request-pays",
    area: "limits",
    file: "access/allowances.ts",
    find: "const taken = isTaken && allowed ? units * PARTS : 0;",
    replace: "const taken = isTaken ? units * PARTS : 0;",
    breaks: "a refused request takes from the allowance, so that who tries again waits for ever longer",
    tests: ["http/rate-headers.test.ts", "access/allowances.test.ts"],
  },
  {
    id: "page-beyond-the-plan",
    area: "limits",
    file: "query/read-question.ts",
    find: "const max = Math.min(dataset.limit.max, maxPage);",
    replace: "const max = dataset.limit.max;",
    breaks: "a key of a small plan may ask pages of the largest",
    tests: ["query/read-question.test.ts", "suites/dataset.test.ts"],
  },
  {
    id: "key-places-unbounded",
    area: "limits",
    file: "http/gate.ts",
    find: 'if (keys.of(keyId) >= plan.keyAtOnce) return { of: "the key", places: plan.keyAtOnce };',
    replace: "",
    breaks: "one key takes all places of its account",
    tests: ["http/rate-headers.test.ts"],
  },
  {
    id: "key-list-ignored",
    area: "entitlement",
    file: "access/caller.ts",
    find: "if (caller.datasets !== null && !caller.datasets.includes(dataset.agentId)) return false;",
    replace: "",
    breaks: "a key that is limited to some datasets reads all of its plan",
    tests: ["access/may-read.test.ts", "access/access.test.ts"],
  },
  {
    id: "revoked-key-lives",
    area: "entitlement",
    file: "access/verify-key.ts",
    find: "if (!row || row.revoked_at !== null || row.disabled_at !== null) return undefined;",
    replace: "if (!row || row.disabled_at !== null) return undefined;",
    breaks: "a revoked key goes on working",
    tests: ["access/refused-keys.test.ts", "access/access.test.ts"],
  },
  {
    id: "account-not-compared",
    area: "entitlement",
    file: "access/rights.ts",
    find: "  if (thing.account_id !== user.account.id) return false;\n",
    replace: "",
    breaks: "an owner reaches the keys and users of other accounts",
    tests: ["access/rights.test.ts", "console/rights.test.ts"],
  },
  {
    id: "score-not-withheld",
    area: "entitlement",
    file: "query/told-to.ts",
    find: "if (withheld === undefined || asker.mayRead(withheld.of)) return { dataset, warnings: [] };",
    replace:
      "if (withheld === undefined || asker.mayRead(dataset)) return { dataset, warnings: [] };",
    breaks: "a free key gets the score of the pro dataset with wallet-360",
    tests: ["query/told-to.test.ts", "datasets/wallet-360.test.ts"],
  },
];

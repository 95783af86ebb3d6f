import type { ServedTable } from "../definition/served.ts";

/** What the serving index keeps of token_days, by token: the price at which what is held is marked. */
export const servedTokenDays: ServedTable = {
  name: "token_days",
  columns: {
    token_id: { kind: "integer" },
    day: { kind: "seconds", of: "day" },
    mark: { kind: "money" },
    version: { kind: "count", near: true },
  },
  sort: ["day"],
  keys: ["token_id"],
  storedAt: "version",
  isVersioned: true,
  rowBytes: 40,
};

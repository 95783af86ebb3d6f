import type { ServedTable } from "../definition/served.ts";

/** The part of token_days in the serving index, by token: the price at which holdings are marked. */
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

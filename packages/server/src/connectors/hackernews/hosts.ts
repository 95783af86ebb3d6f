import { MIB } from "../../definition/upstream-bounds.ts";
import type { Host } from "../../definition/connector.ts";

/** Hacker News search at Algolia. No key; clients assume 10,000 requests per hour and IP address. */
export const algoliaHost: Host = {
  name: "hackernews",
  setting: "HN_URL",
  // 1,000 comments, each with its text twice.
  maxBytes: 8 * MIB,
  limits: { all: { tokens: 10_000, perSeconds: 3600 } },
  share: 0.5,
};

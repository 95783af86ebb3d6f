import type { Host } from "../../../definition/connector.ts";

/** X's API v2: 450 searches in a quarter of an hour and app, and every post read is billed. */
export const xHost: Host = {
  name: "x",
  setting: "X_URL",
  limits: { search: { tokens: 450, perSeconds: 900 } },
  share: 0.5,
  bearer: "X_BEARER_TOKEN",
  dailyCap: "X_DAILY_USD",
};

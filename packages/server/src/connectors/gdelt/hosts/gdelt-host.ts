import type { Host } from "../../../definition/connector.ts";
import { parseBody } from "../search/parse-body.ts";

/**
 * GDELT's document search. It asks for one call in 5 seconds, and has shed load for weeks whoever calls, so it is left
 * alone for a while when it fails.
 */
export const gdeltHost: Host = {
  name: "gdelt",
  setting: "GDELT_URL",
  limits: { all: { tokens: 1, perSeconds: 5 } },
  share: 0.8,
  parse: parseBody,
  breaker: { failures: 5, firstSeconds: 300, mostSeconds: 3600 },
};

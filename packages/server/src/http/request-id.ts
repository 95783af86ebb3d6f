import { randomFillSync } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { monotonicFactory } from "ulid";

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** Random fractions in [0, 1) from system randomness, fetched in bulk. */
function createFractions(): () => number {
  const pool = new Uint8Array(4096);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    const byte = pool[at] ?? 0;
    at += 1;
    return byte / 256;
  };
}

/** Creates request ids: a well-formed incoming X-Request-Id (unless it is a key) is kept, else `req_` and a ULID. */
export function createRequestIds(clock: () => number): (request: IncomingMessage | undefined) => string {
  const next = monotonicFactory(createFractions());
  return (request) => {
    const sent = request?.headers["x-request-id"];
    return typeof sent === "string" && WELL_FORMED.test(sent) && !/alm_live_/i.test(sent)
      ? sent
      : `req_${next(Math.floor(clock()))}`;
  };
}

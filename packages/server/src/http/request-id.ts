import type { IncomingMessage } from "node:http";
import { monotonicFactory } from "ulid";

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** A maker of request ids: a well-formed incoming X-Request-Id (no key by mistake) is kept, else `req_` and a ULID. */
export function createRequestIds(clock: () => number): (request: IncomingMessage | undefined) => string {
  const next = monotonicFactory();
  return (request) => {
    const sent = request?.headers["x-request-id"];
    return typeof sent === "string" && WELL_FORMED.test(sent) && !/alm_live_/i.test(sent)
      ? sent
      : `req_${next(Math.floor(clock()))}`;
  };
}

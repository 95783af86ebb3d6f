import type { FuzzRequest, FuzzWorld } from "./fuzz-request.ts";
import { HOSTILE_VALUES } from "./hostile-values.ts";
import type { Random } from "./random.ts";

const HEADERS = ["if-none-match", "accept-encoding", "accept", "range", "cookie", "authorization", "x-forwarded-for"];
const JUNK = ["*", "gzip", "br", "zstd", "text/html", "text/html;q=0", 'W/"x"', "bytes=0-1", "a".repeat(4000), ";;;"];

/** Documentation pages, health, openapi and the dashboard's own addresses, with any query string and headers. */
export function documentRequest({ documents }: FuzzWorld, random: Random): FuzzRequest {
  const method = random.pick(["GET", "GET", "GET", "HEAD", "POST", "DELETE"]);
  const question = random.chance(0.5)
    ? `?${random.pick(["", "a=", "account=", "__proto__[x]="])}${encoded(random)}`
    : "";
  const headers = Object.fromEntries(
    Array.from({ length: random.below(3) }, () => [random.pick(HEADERS), random.pick(JUNK)]),
  );
  if (random.chance(0.1)) {
    const path = `/${encoded(random)}/${random.text(5)}`;
    return {
      kind: "page of the dashboard",
      target: "document",
      method: "GET",
      path,
      headers: { ...headers, accept: "text/html" },
      body: undefined,
    };
  }
  const isRead = method === "GET" || method === "HEAD";
  const path = random.pick(documents) + question;
  return {
    kind: "document",
    target: "document",
    method,
    path,
    headers,
    body: undefined,
    right: isRead ? [200, 304] : [405],
  };
}

/** Requests to the metrics port, which serves one path. */
export function metricsRequest(random: Random): FuzzRequest {
  const isThere = random.chance(0.3);
  const path = isThere ? `/metrics?${encoded(random)}` : `/${encoded(random)}`;
  return {
    kind: "metrics",
    target: "metrics",
    method: isThere ? "GET" : random.pick(["GET", "POST", "PUT"]),
    path,
    headers: {},
    body: undefined,
    ...(isThere ? { right: [200] } : {}),
  };
}

/** A hostile value as part of a path or of a query string. */
export const encoded = (random: Random): string =>
  encodeURIComponent(random.pick(HOSTILE_VALUES).slice(0, 2000).toWellFormed());

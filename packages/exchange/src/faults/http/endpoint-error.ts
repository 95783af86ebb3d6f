import { createHash } from "node:crypto";
import { HASTE } from "../../social/gdelt/gdelt-endpoint.ts";
import { plain } from "../../social/x/x-problem.ts";
import type { FaultEndpoint } from "../fault-endpoint.ts";

/** An error response. */
export interface ErrorAnswer {
  status: number;
  type: string;
  body: string;
}

const reasons: Readonly<Record<number, string>> = {
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/**
 * A rejection or failure in the endpoint's own error format. The 429 of Gamma and the CLOB comes from the edge proxy,
 * as text instead of JSON.
 */
export function endpointError(endpoint: FaultEndpoint, status: number, url: string): ErrorAnswer {
  const json = (body: object): ErrorAnswer => ({ status, type: "application/json", body: JSON.stringify(body) });
  const reason = (reasons[status] ?? "Server Error").toLowerCase();
  if (endpoint === "kalshi" || endpoint === "kalshi_ws")
    return json({ error: { code: reason.replaceAll(" ", "_"), message: reason } });
  if (endpoint === "data") return json(dataError(status, url));
  if (endpoint === "x") return json(plain(status, reasons[status] ?? "Server Error").body);
  if (endpoint === "hackernews") return json({ message: reasons[status] ?? "Server Error", status });
  if (endpoint === "gdelt" && status === 429) return { status, type: "text/html; charset=utf-8", body: HASTE };
  if (endpoint === "jetstream") return { status, type: "text/plain", body: reasons[status] ?? "Server Error" };
  if (status === 429 && endpoint !== "rpc") return { status, type: "text/plain", body: "error code: 1015" };
  if (endpoint === "rpc") return json({ jsonrpc: "2.0", id: null, error: { code: -32603, message: reason } });
  return json(endpoint === "gamma" ? { type: "internal error", error: reason } : { error: reason });
}

/** Error page that a proxy or CDN sends instead of the response. */
export function edgePage(status: number): ErrorAnswer {
  const title = `${status} ${reasons[status] ?? "Server Error"}`;
  const body = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>cloudflare</center>\r\n</body>\r\n</html>\r\n`;
  return { status, type: "text/html", body };
}

/** Status 200 with a page that asks the client to prove it is human. */
export function challengePage(): ErrorAnswer {
  const body =
    '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head><body><div id="challenge-error-text">Enable JavaScript and cookies to continue</div></body></html>';
  return { status: 200, type: "text/html; charset=UTF-8", body };
}

function dataError(status: number, url: string): object {
  const codes: Readonly<Record<number, string>> = { 429: "rate_limited", 503: "request_timeout" };
  const code = codes[status] ?? "internal";
  const trace_id = createHash("sha1").update(url).digest("hex").slice(0, 32);
  return { error: code.replace("_", " "), code, parameter: "", retryable: code !== "internal", trace_id };
}

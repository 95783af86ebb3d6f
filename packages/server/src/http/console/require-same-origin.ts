import type { IncomingHttpHeaders } from "node:http";
import { CallerError } from "../../definition/errors.ts";

/**
 * Refuses a change that another origin's page asks for. What a browser sends is compared: Sec-Fetch-Site, and Origin with
 * the host asked (or the public address, where a proxy changes the host). A program that is no browser sends neither.
 */
export function requireSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") throw crossOrigin();
  const { origin } = headers;
  if (origin === undefined) return;
  if (!URL.canParse(origin)) throw crossOrigin();
  const { host } = new URL(origin);
  if (host === "" || (host !== headers.host?.toLowerCase() && host !== new URL(publicUrl).host)) throw crossOrigin();
}

function crossOrigin(): CallerError {
  return new CallerError(
    "FORBIDDEN",
    "The request comes from a page of another origin; open the console at its own address.",
  );
}

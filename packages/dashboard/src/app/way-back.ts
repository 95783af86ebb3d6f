const SIGN_IN = "/sign-in";

/** Path of the sign-in page, with the requested page to return to. */
export function toSignIn(requested: { pathname: string; search: string; hash: string }): string {
  const next = `${requested.pathname}${requested.search}${requested.hash}`;
  return next === "/" || requested.pathname === SIGN_IN ? SIGN_IN : `${SIGN_IN}?next=${encodeURIComponent(next)}`;
}

/** The page to open after signing in: always one of this dashboard's own, whatever the address says. */
export function toWayBack(search: string): string {
  const next = new URLSearchParams(search).get("next");
  if (next === null || !/^\/(?![/\\])/.test(next)) return "/";
  const origin = "https://almanac.invalid";
  const url = URL.canParse(next, origin) ? new URL(next, origin) : undefined;
  // Dot segments are removed from the path: the rest may look like another host.
  if (url === undefined || url.origin !== origin || url.pathname.startsWith("//") || url.pathname === SIGN_IN)
    return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}

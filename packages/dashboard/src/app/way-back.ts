const SIGN_IN = "/sign-in";

/** Where to sign in, remembering the page that was asked for. */
export function toSignIn(asked: { pathname: string; search: string; hash: string }): string {
  const next = `${asked.pathname}${asked.search}${asked.hash}`;
  return next === "/" || asked.pathname === SIGN_IN ? SIGN_IN : `${SIGN_IN}?next=${encodeURIComponent(next)}`;
}

/** The page to go to after signing in: one of this dashboard's own, whatever the address says. */
export function toWayBack(search: string): string {
  const next = new URLSearchParams(search).get("next");
  if (next === null || !/^\/(?![/\\])/.test(next)) return "/";
  const origin = "https://almanac.invalid";
  const url = URL.canParse(next, origin) ? new URL(next, origin) : undefined;
  // Dots are taken out of the path: what is left may begin like another host.
  if (url === undefined || url.origin !== origin || url.pathname.startsWith("//") || url.pathname === SIGN_IN)
    return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}

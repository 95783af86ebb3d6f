const ROOT = "/trade-api/v2";

/** Path below Kalshi's root; undefined for another. */
export function kalshiPath(path: string): string | undefined {
  return path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length) : undefined;
}

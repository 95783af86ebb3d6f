/** The address of a path: settings hold the bare host or the whole address. */
export function socketUrl(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, "");
  return base.endsWith(path.replace(/\/+$/, "")) ? base : `${base}${path}`;
}

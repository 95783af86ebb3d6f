/** A path with its query; the path alone where nothing is asked of it. */
export function pathWith(path: string, query: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(query).toString();
  return search === "" ? path : `${path}?${search}`;
}

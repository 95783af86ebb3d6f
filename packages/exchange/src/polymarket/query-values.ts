/** A query string as fastify parses it: a key given twice becomes an array. */
export type Query = Readonly<Record<string, string | string[] | undefined>>;

/** The last value of a key, or undefined when absent or empty. */
export function one(query: Query, key: string): string | undefined {
  const value = query[key];
  const last = Array.isArray(value) ? value.at(-1) : value;
  return last === "" ? undefined : last;
}

/** Every value of a key that repeats (`id=1&id=2`), empty ones left out. */
export function many(query: Query, key: string): string[] {
  const value = query[key];
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).filter((item) => item !== "");
}

/** Values written as one comma-separated list (`market=a,b`), also when the key repeats. */
export function commaList(query: Query, key: string): string[] {
  return many(query, key).flatMap((value) => value.split(",").filter((item) => item !== ""));
}

/** A number, undefined when absent, NaN when it is not one. */
export function numeric(query: Query, key: string): number | undefined {
  const value = one(query, key);
  return value === undefined ? undefined : Number(value);
}

/** `true`/`false`/`1`/`0`, undefined when absent or anything else. */
export function flag(query: Query, key: string): boolean | undefined {
  const value = one(query, key)?.toLowerCase();
  if (value === "true" || value === "1") return true;
  return value === "false" || value === "0" ? false : undefined;
}

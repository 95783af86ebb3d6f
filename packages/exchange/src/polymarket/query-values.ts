/** A query string as parsed by fastify: a repeated key becomes an array. */
export type Query = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the last value of a key; undefined when absent or empty. */
export function one(query: Query, key: string): string | undefined {
  const value = query[key];
  const last = Array.isArray(value) ? value.at(-1) : value;
  return last === "" ? undefined : last;
}

/** Returns every value of a repeated key (`id=1&id=2`), without empty ones. */
export function many(query: Query, key: string): string[] {
  const value = query[key];
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).filter((item) => item !== "");
}

/** Returns the values of a comma-separated list (`market=a,b`), also when the key repeats. */
export function commaList(query: Query, key: string): string[] {
  return many(query, key).flatMap((value) => value.split(",").filter((item) => item !== ""));
}

/** Returns a number; undefined when absent, NaN when invalid. */
export function numeric(query: Query, key: string): number | undefined {
  const value = one(query, key);
  return value === undefined ? undefined : Number(value);
}

/** Parses `true`/`false`/`1`/`0`; undefined when absent or anything else. */
export function flag(query: Query, key: string): boolean | undefined {
  const value = one(query, key)?.toLowerCase();
  if (value === "true" || value === "1") return true;
  return value === "false" || value === "0" ? false : undefined;
}

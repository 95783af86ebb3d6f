import type { RecordedReply } from "./recording.ts";

const LIMIT = { fallback: 20, maximum: 100 };

/**
 * A page of a fixed list as Gamma's keyset endpoints give it: `limit` clamped to 100, `after_cursor`, and a `next_cursor`
 * only when the page is full. `cursor` is ignored (the same first page for ever) and `offset` is a 422, as on the real one.
 */
export function keysetPage(name: string, items: readonly object[], query: URLSearchParams): RecordedReply {
  if (query.has("offset")) return { status: 422, body: { error: "offset is not supported; use after_cursor" } };
  const start = placeOf(query.get("after_cursor"));
  if (start === undefined) return { status: 422, body: { error: "invalid after_cursor" } };
  const limit = Math.min(Math.max(1, Number(query.get("limit") ?? LIMIT.fallback) || LIMIT.fallback), LIMIT.maximum);
  const page = ordered(items, query).slice(start, start + limit);
  const next = Buffer.from(`recorded:${start + limit}`).toString("base64url");
  return { body: { [name]: page, ...(page.length === limit && { next_cursor: next }) } };
}

function placeOf(cursor: string | null): number | undefined {
  if (cursor === null || cursor === "") return 0;
  const place = /^recorded:(\d{1,9})$/.exec(Buffer.from(cursor, "base64url").toString())?.[1];
  return place === undefined ? undefined : Number(place);
}

/** By id where the caller names no field; fields are the reply's own names. */
function ordered(items: readonly object[], query: URLSearchParams): object[] {
  const field = query.get("order")?.split(",")[0] ?? "id";
  const sign = query.has("order") && query.get("ascending") !== "true" ? -1 : 1;
  return [...items].sort((a, b) => sign * compare(Reflect.get(a, field), Reflect.get(b, field)));
}

function compare(a: unknown, b: unknown): number {
  const left = Number(a);
  const right = Number(b);
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right;
  return String(a).localeCompare(String(b));
}

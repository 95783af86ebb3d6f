const size = 100;
const end = "LTE=";

/** A page of a CLOB list, with `LTE=` (base64 of -1) as the cursor after the last. */
export interface CursorPage<T> {
  data: T[];
  next_cursor: string;
  limit: number;
  count: number;
}

/** The page of 100 that a cursor points at: base64 of an offset, "" or `MA==` for the first. Undefined for a bad cursor. */
export function offsetCursorPage<S, T>(
  items: readonly S[],
  cursor: string,
  row: (item: S) => T,
): CursorPage<T> | undefined {
  if (cursor === end) return { data: [], next_cursor: end, limit: size, count: 0 };
  const text = cursor === "" ? "0" : Buffer.from(cursor, "base64").toString();
  if (!/^\d{1,9}$/.test(text)) return undefined;
  const offset = Number(text);
  const data = items.slice(offset, offset + size).map(row);
  const next = offset + size < items.length ? Buffer.from(String(offset + size)).toString("base64") : end;
  return { data, next_cursor: next, limit: size, count: data.length };
}

/** Anything with a position in a feed. */
export interface Placed {
  timestamp: number;
  sequence: number;
}

/** The `pagination` alongside `data`: has_more is true exactly when next_cursor is present; offset is informational. */
export interface Pagination {
  limit: number;
  offset: number;
  has_more: boolean;
  next_cursor: string | null;
}

/** Cuts a page out of rows sorted newest first; `after` is the last row already sent. */
export function feedPage<T extends Placed>(
  rows: Iterable<T>,
  limit: number,
  after: Placed | undefined,
): { items: T[]; pagination: Pagination } {
  const items: T[] = [];
  for (const row of rows) {
    if (after !== undefined && !isOlder(row, after)) continue;
    if (items.length === limit) {
      const last = items.at(-1);
      return {
        items,
        pagination: { limit, offset: 0, has_more: true, next_cursor: last === undefined ? null : encodeFeed(last) },
      };
    }
    items.push(row);
  }
  return { items, pagination: { limit, offset: 0, has_more: false, next_cursor: null } };
}

/** Undefined when the cursor is not one of a feed. */
export function decodeFeed(cursor: string): Placed | undefined {
  const match = /^f:(\d{1,12}):(\d{1,16})$/.exec(Buffer.from(cursor, "base64url").toString());
  return match === null ? undefined : { timestamp: Number(match[1]), sequence: Number(match[2]) };
}

function encodeFeed({ timestamp, sequence }: Placed): string {
  return Buffer.from(`f:${timestamp}:${sequence}`).toString("base64url");
}

function isOlder(row: Placed, than: Placed): boolean {
  return row.timestamp === than.timestamp ? row.sequence < than.sequence : row.timestamp < than.timestamp;
}

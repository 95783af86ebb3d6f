import { invalidParameters } from "../kalshi-error.ts";

/** Opaque cursor of one list. It contains a position but no filters: the caller sends those again. */
export class Cursor {
  readonly #list: string;

  constructor(list: string) {
    this.#list = list;
  }

  write(place: number | string): string {
    return Buffer.from(`${this.#list}:${place}`).toString("base64url");
  }

  /** Returns the position in the cursor; undefined for the first page. */
  read(cursor: string | undefined): string | undefined {
    if (cursor === undefined) return undefined;
    const text = Buffer.from(cursor, "base64url").toString();
    if (!text.startsWith(`${this.#list}:`)) {
      throw invalidParameters("invalid cursor");
    }
    return text.slice(this.#list.length + 1);
  }

  /** The same for a numeric position. */
  readNumber(cursor: string | undefined): number | undefined {
    const place = this.read(cursor);
    return place === undefined ? undefined : Number(place);
  }
}

/** A page, newest first, of a list sorted oldest first. */
interface BackPage<T> {
  items: T[];
  /** Index of the last item returned; undefined when the page is not full, that is, nothing is left. */
  last: number | undefined;
}

/** Scans `list` down from index `before` (excluded) to `from` (included) and takes up to `limit` items that pass. */
export function pageBack<T>(
  list: readonly T[],
  bounds: { before: number; from: number },
  limit: number,
  keep: (item: T) => boolean,
): BackPage<T> {
  const items: T[] = [];
  for (let index = Math.min(bounds.before, list.length) - 1; index >= bounds.from; index -= 1) {
    const item = list[index];
    if (item === undefined || !keep(item)) continue;
    items.push(item);
    if (items.length === limit) return { items, last: index };
  }
  return { items, last: undefined };
}

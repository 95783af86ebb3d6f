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

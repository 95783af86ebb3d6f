import { writeCursor, type CursorState } from "./cursor.ts";
import type { KeptPage } from "./kept-page.ts";

type Asked = Pick<CursorState, "question" | "searched">;

/** The cursor of the page after a page; null where nothing follows. */
export type NextCursor = (page: KeptPage, asked: Asked, wasPartial: boolean) => string | null;

/** Signs the cursor of a page that is kept once: it says the same each time, but for whether something was missing. */
export function createNextCursor(secret: Buffer): NextCursor {
  const [whole, partial] = [new WeakMap<KeptPage, string>(), new WeakMap<KeptPage, string>()];
  return (page, asked, wasPartial) => {
    const { last: after, snapshot, began } = page;
    if (after === undefined) return null;
    const written = wasPartial ? partial : whole;
    const state: CursorState = { ...asked, snapshot, after, began, wasPartial };
    const text = written.get(page) ?? writeCursor(secret, state);
    written.set(page, text);
    return text;
  };
}

import { writeCursor, type CursorState } from "./cursor.ts";
import type { KeptPage } from "./kept-page.ts";

type Requested = Pick<CursorState, "question" | "searched">;

/** Returns the cursor of the page after a page; null if nothing follows. */
export type NextCursor = (page: KeptPage, requested: Requested, wasPartial: boolean) => string | null;

/** Signs a cached page's cursor once: only whether coverage was partial can change it. */
export function createNextCursor(secret: Buffer): NextCursor {
  const [whole, partial] = [new WeakMap<KeptPage, string>(), new WeakMap<KeptPage, string>()];
  return (page, requested, wasPartial) => {
    const { last: after, snapshot, began } = page;
    if (after === undefined) return null;
    const written = wasPartial ? partial : whole;
    const state: CursorState = { ...requested, snapshot, after, began, wasPartial };
    const text = written.get(page) ?? writeCursor(secret, state);
    written.set(page, text);
    return text;
  };
}

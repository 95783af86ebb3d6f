import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from "node:crypto";
import type { KeptPage } from "./read-page.ts";
import type { Coverage } from "../definition/coverage.ts";

/** Position of a walk over pages: its query, its snapshot and the last row's order keys. */
export type CursorState = {
  readonly question: string;
  /** The corrected search text, if it differs from the requested one. */
  readonly searched?: string | undefined;
  readonly snapshot: string;
  readonly after: readonly (string | number)[];
  /** Time at which its first page was requested (Unix ms). */
  readonly began: number;
  /** Whether any page so far had incomplete coverage. */
  readonly wasPartial: boolean;
};

type Place = readonly [question: string, snapshot: string, after: readonly (string | number)[]];
/**
 * Callers keep cursors indefinitely, so old forms stay readable. The first form has no start time; it could once carry
 * state about trades not yet in a block, which answers no longer contain, so that part is ignored.
 */
type Written =
  | readonly [2, began: number, wasPartial: boolean, place: Place, searched?: string]
  | readonly [1, ...Place];

const MAC_BYTES = 12;

/** Writes a signed cursor: one that we did not issue is refused before it reaches the store. */
export function writeCursor(secret: Buffer, state: CursorState): string {
  const { question, searched, snapshot, after, began, wasPartial } = state;
  const rest: [] | [string] = searched === undefined ? [] : [searched];
  const written: Written = [2, began, wasPartial, [question, snapshot, after], ...rest];
  const payload = Buffer.from(JSON.stringify(written), "utf8");
  return Buffer.concat([mac(secret, payload), payload]).toString("base64url");
}

/** Returns the state of a cursor, or undefined if we did not issue it. */
export function readCursor(secret: Buffer, cursor: string): CursorState | undefined {
  const bytes = Buffer.from(cursor, "base64url");
  // The decoder ignores invalid base64url characters and excess bits at the end; refuse both.
  if (bytes.toString("base64url") !== cursor) return undefined;
  const payload = bytes.subarray(MAC_BYTES);
  if (payload.length === 0 || !timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(secret, payload))) return undefined;
  const written = JSON.parse(payload.toString("utf8")) as Written;
  if (written[0] === 2) {
    const [, began, wasPartial, [question, snapshot, after], searched] = written;
    return { question, searched, snapshot, after, began, wasPartial };
  }
  const [, question, snapshot, after] = written;
  return { question, snapshot, after, began: Number(snapshot) / 1000, wasPartial: false };
}

/** Prepared keys by secret: preparing one takes four times as long as signing. */
const keys = new WeakMap<Buffer, KeyObject>();

function mac(secret: Buffer, payload: Buffer): Buffer {
  const key = keys.get(secret) ?? createSecretKey(secret);
  keys.set(secret, key);
  return createHmac("sha256", key).update(payload).digest().subarray(0, MAC_BYTES);
}

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

const REASON =
  "An earlier page of this walk was incomplete, and the walk omits rows stored since; start again without a cursor.";

/**
 * Coverage of a later page after an incomplete one: the walk omits rows stored since, even if coverage is complete now.
 */
export function ofPartialWalk(held: Coverage): Coverage {
  return held.complete ? { ...held, complete: false, reasons: [REASON] } : held;
}

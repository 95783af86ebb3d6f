import { createHmac, timingSafeEqual } from "node:crypto";
import type { EarlyView } from "../definition/early-view.ts";

/** Where a walk stands: whose it is, the snapshot it is on, the last row's order keys, what it sees of early rows. */
export type CursorState = {
  readonly question: string;
  readonly snapshot: string;
  readonly after: readonly (string | number)[];
  readonly early?: EarlyView | undefined;
  /** When its first page was asked for (Unix ms). */
  readonly began: number;
  /** A page of it so far was not complete. */
  readonly wasPartial: boolean;
};

type Place = readonly [question: string, snapshot: string, after: readonly (string | number)[]];
type Walk = Place | readonly [...Place, shownAfter: string, since: string, storedBy: string];
/** The first form has no beginning; callers keep cursors for as long as they like. */
type Written = readonly [2, began: number, wasPartial: boolean, walk: Walk] | readonly [1, ...Walk];

const MAC_BYTES = 12;

/** Cursors are signed: one that we did not give is refused before it reaches the store. */
export function writeCursor(secret: Buffer, state: CursorState): string {
  const { question, snapshot, after, early, began, wasPartial } = state;
  const place: Place = [question, snapshot, after];
  const walk: Walk = early ? [...place, early.shownAfter, early.since, early.storedBy] : place;
  const written: Written = [2, began, wasPartial, walk];
  const payload = Buffer.from(JSON.stringify(written), "utf8");
  return Buffer.concat([mac(secret, payload), payload]).toString("base64url");
}

/** The state of a cursor, or undefined where it is not one of ours. */
export function readCursor(secret: Buffer, cursor: string): CursorState | undefined {
  const bytes = Buffer.from(cursor, "base64url");
  // Decoding passes over what is no base64url, and over bits too many at the end.
  if (bytes.toString("base64url") !== cursor) return undefined;
  const payload = bytes.subarray(MAC_BYTES);
  if (payload.length === 0 || !timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(secret, payload))) return undefined;
  const written = JSON.parse(payload.toString("utf8")) as Written;
  if (written[0] === 2) {
    const [, began, wasPartial, walk] = written;
    return { ...toState(walk), began, wasPartial };
  }
  const [, ...walk] = written;
  const [, snapshot] = walk;
  return { ...toState(walk), began: Number(snapshot) / 1000, wasPartial: false };
}

function toState(walk: Walk): Omit<CursorState, "began" | "wasPartial"> {
  const [question, snapshot, after] = walk;
  if (walk.length === 3) return { question, snapshot, after };
  const [, , , shownAfter, since, storedBy] = walk;
  return { question, snapshot, after, early: { shownAfter, since, storedBy } };
}

function mac(secret: Buffer, payload: Buffer): Buffer {
  return createHmac("sha256", secret).update(payload).digest().subarray(0, MAC_BYTES);
}

import { createHmac, timingSafeEqual } from "node:crypto";
import type { EarlyView } from "../definition/early-view.ts";

/** Where a walk stands: whose it is, the snapshot it is on, the last row's order keys, what it sees of early rows. */
export type CursorState = {
  readonly question: string;
  readonly snapshot: string;
  readonly after: readonly (string | number)[];
  readonly early?: EarlyView | undefined;
};

type Walk = readonly [1, question: string, snapshot: string, after: readonly (string | number)[]];
type Written = Walk | readonly [...Walk, shownAfter: string, since: string, storedBy: string];

const MAC_BYTES = 12;

/** Cursors are signed: one that we did not give is refused before it reaches the store. */
export function writeCursor(secret: Buffer, state: CursorState): string {
  const { question, snapshot, after, early } = state;
  const walk: Walk = [1, question, snapshot, after];
  const written: Written = early ? [...walk, early.shownAfter, early.since, early.storedBy] : walk;
  const payload = Buffer.from(JSON.stringify(written), "utf8");
  return Buffer.concat([mac(secret, payload), payload]).toString("base64url");
}

/** The state of a cursor, or undefined where it is not one of ours. */
export function readCursor(secret: Buffer, cursor: string): CursorState | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  const payload = bytes.subarray(MAC_BYTES);
  if (payload.length === 0 || !timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(secret, payload))) return undefined;
  const written = JSON.parse(payload.toString("utf8")) as Written;
  const [, question, snapshot, after] = written;
  if (written.length === 4) return { question, snapshot, after };
  const [, , , , shownAfter, since, storedBy] = written;
  return { question, snapshot, after, early: { shownAfter, since, storedBy } };
}

function mac(secret: Buffer, payload: Buffer): Buffer {
  return createHmac("sha256", secret).update(payload).digest().subarray(0, MAC_BYTES);
}

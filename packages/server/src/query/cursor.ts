import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from "node:crypto";

/** Where a walk stands: whose it is, the snapshot it is on, the last row's order keys. */
export type CursorState = {
  readonly question: string;
  /** What it searches for, where that is not what was asked. */
  readonly searched?: string | undefined;
  readonly snapshot: string;
  readonly after: readonly (string | number)[];
  /** When its first page was asked for (Unix ms). */
  readonly began: number;
  /** A page of it so far was not complete. */
  readonly wasPartial: boolean;
};

type Place = readonly [question: string, snapshot: string, after: readonly (string | number)[]];
/**
 * Callers keep cursors for as long as they like. The first form has no beginning, and once a place could be followed
 * by what the walk saw of trades that no block had yet: there are none in answers any more, so that is passed over.
 */
type Written =
  | readonly [2, began: number, wasPartial: boolean, place: Place, searched?: string]
  | readonly [1, ...Place];

const MAC_BYTES = 12;

/** Cursors are signed: one that we did not give is refused before it reaches the store. */
export function writeCursor(secret: Buffer, state: CursorState): string {
  const { question, searched, snapshot, after, began, wasPartial } = state;
  const rest: [] | [string] = searched === undefined ? [] : [searched];
  const written: Written = [2, began, wasPartial, [question, snapshot, after], ...rest];
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
    const [, began, wasPartial, [question, snapshot, after], searched] = written;
    return { question, searched, snapshot, after, began, wasPartial };
  }
  const [, question, snapshot, after] = written;
  return { question, snapshot, after, began: Number(snapshot) / 1000, wasPartial: false };
}

/** A key prepared once: preparing it anew takes four times as long as the signing itself. */
const keys = new WeakMap<Buffer, KeyObject>();

function mac(secret: Buffer, payload: Buffer): Buffer {
  const key = keys.get(secret) ?? createSecretKey(secret);
  keys.set(secret, key);
  return createHmac("sha256", key).update(payload).digest().subarray(0, MAC_BYTES);
}

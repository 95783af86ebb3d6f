import { createHmac, timingSafeEqual } from "node:crypto";

/** Where a walk stands: whose it is, the snapshot it is on, the last row's order keys. */
export type CursorState = {
  readonly question: string;
  readonly snapshot: string;
  readonly after: readonly (string | number)[];
};

const MAC_BYTES = 12;

/** Cursors are signed: one that we did not give is refused before it reaches the store. */
export function writeCursor(secret: Buffer, state: CursorState): string {
  const payload = Buffer.from(JSON.stringify([1, state.question, state.snapshot, state.after]), "utf8");
  return Buffer.concat([mac(secret, payload), payload]).toString("base64url");
}

/** The state of a cursor, or undefined where it is not one of ours. */
export function readCursor(secret: Buffer, cursor: string): CursorState | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  const payload = bytes.subarray(MAC_BYTES);
  if (payload.length === 0 || !timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(secret, payload))) return undefined;
  const [, question, snapshot, after] = JSON.parse(payload.toString("utf8")) as [
    1,
    string,
    string,
    (string | number)[],
  ];
  return { question, snapshot, after };
}

function mac(secret: Buffer, payload: Buffer): Buffer {
  return createHmac("sha256", secret).update(payload).digest().subarray(0, MAC_BYTES);
}

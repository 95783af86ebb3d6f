import type { Desk } from "./desk.ts";
import type { KeyRow } from "../records/schema.ts";

/** A key as it may be shown: everything but its digest. */
export type KeySummary = Omit<KeyRow, "digest"> & { readonly state: "active" | "expired" | "revoked" };

export function toSummary(desk: Desk, { digest: _digest, ...key }: KeyRow): KeySummary {
  const isExpired = key.expires_at !== null && key.expires_at.getTime() <= desk.clock();
  return { ...key, state: key.revoked_at ? "revoked" : isExpired ? "expired" : "active" };
}

import type { KeyRow } from "../records/schema.ts";
import type { Desk } from "./change.ts";

/** A key as it may be shown: everything but its digest. */
export type KeySummary = Omit<KeyRow, "digest"> & { readonly state: "active" | "expired" | "revoked" };

export function toSummary<Row extends KeyRow>(desk: Pick<Desk, "clock">, { digest: _digest, ...key }: Row) {
  const isExpired = key.expires_at !== null && key.expires_at.getTime() <= desk.clock();
  const state = key.revoked_at ? ("revoked" as const) : isExpired ? ("expired" as const) : ("active" as const);
  return { ...key, state };
}

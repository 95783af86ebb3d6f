import type { UserRow } from "../records/schema.ts";

/** A user as one may be shown: everything but the hash of the password. */
export type UserSummary = Omit<UserRow, "password_hash">;

export function toUserSummary({ password_hash: _hash, ...user }: UserRow): UserSummary {
  return user;
}

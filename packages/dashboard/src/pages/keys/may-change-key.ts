import type { ApiKey } from "../../api/keys.ts";
import type { SessionUser } from "../../api/session-user.ts";

/** A member changes the keys it made itself; owners and operators all they see. */
export function mayChangeKey(user: Pick<SessionUser, "id" | "role">, key: Pick<ApiKey, "created_by">): boolean {
  return user.role !== "member" || key.created_by === user.id;
}

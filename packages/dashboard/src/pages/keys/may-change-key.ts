import type { ApiKey } from "../../api/keys.ts";
import type { SessionUser } from "../../api/session-user.ts";

/** A member may change the keys that it created; owners and operators all that they see. */
export function mayChangeKey(user: Pick<SessionUser, "id" | "role">, key: Pick<ApiKey, "created_by">): boolean {
  return user.role !== "member" || key.created_by === user.id;
}

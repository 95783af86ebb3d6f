import { reachOf, type Right } from "./rights.ts";
import type { SessionUser } from "./session-user.ts";

/** Whose something is: its account, and the user who made it where one did. */
export type Owned = { readonly account_id: string | null; readonly created_by?: string | null };

/** Whether the user's right goes as far as this thing. */
export function mayReach(user: Pick<SessionUser, "id" | "role" | "account">, right: Right, thing: Owned): boolean {
  const reach = reachOf(user.role, right);
  if (reach === undefined) return false;
  if (reach === "all") return true;
  if (thing.account_id !== user.account.id) return false;
  return reach === "account" || thing.created_by === user.id;
}

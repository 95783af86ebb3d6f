import { AccessError } from "../../access/access-error.ts";
import { reachOf, type Right } from "../../access/rights.ts";
import type { SessionUser } from "../../access/sessions.ts";

/**
 * The account a list is for: users with access to all may name one (id or address) or none, for all of them; others get
 * their own. Throws not found for another account.
 */
export function accountRequested(user: SessionUser, right: Right, named: string | undefined): string | undefined {
  if (reachOf(user.role, right) === "all") return named;
  if (named === undefined || named === user.account.id) return user.account.id;
  throw new AccessError("not_found", `no account has the id or address ${named}`);
}

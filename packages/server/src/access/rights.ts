import type { UserRole } from "../records/schema.ts";
import type { SessionUser } from "./sessions.ts";

/** Scope of a right: the user's own objects, everything of the user's account, or everything. */
export type Reach = "own" | "account" | "all";

/** The console's permissions by role. Routes check this value, docs/access.md shows it, the tests iterate over it. */
export const RIGHTS = {
  "session.own": { member: "own", owner: "own", operator: "own" },
  "datasets.ask": { member: "account", owner: "account", operator: "account" },
  "usage.read": { member: "account", owner: "account", operator: "all" },
  "keys.read": { member: "account", owner: "account", operator: "all" },
  "keys.make": { member: "account", owner: "account", operator: "all" },
  "keys.change": { member: "own", owner: "account", operator: "all" },
  "users.read": { owner: "account", operator: "all" },
  "users.change": { owner: "account", operator: "all" },
  "audit.read": { owner: "account", operator: "all" },
  "accounts.read": { operator: "all" },
  "accounts.change": { operator: "all" },
  "plans.read": { operator: "all" },
  "plans.change": { operator: "all" },
  "service.read": { operator: "all" },
} as const satisfies Record<string, Partial<Record<UserRole, Reach>>>;

export type Right = keyof typeof RIGHTS;

/** The scope of a role's right; undefined if it has none. */
export function reachOf(role: UserRole, right: Right): Reach | undefined {
  const roles: Partial<Record<UserRole, Reach>> = RIGHTS[right];
  return roles[role];
}

/** The roles that a user with `users.change` may assign, and whose holders they may change. */
export const GIVES = {
  member: [],
  owner: ["member", "owner"],
  operator: ["member", "owner", "operator"],
} as const satisfies Record<UserRole, readonly UserRole[]>;

export function mayGive(role: UserRole, other: UserRole): boolean {
  const roles: readonly UserRole[] = GIVES[role];
  return roles.includes(other);
}

/** An object's owner: its account, and the user who created it if any. */
export type Owned = { readonly account_id: string | null; readonly created_by?: string | null };

/** Whether the user's right covers this object. */
export function mayReach(user: Pick<SessionUser, "id" | "role" | "account">, right: Right, thing: Owned): boolean {
  const reach = reachOf(user.role, right);
  if (reach === undefined) return false;
  if (reach === "all") return true;
  if (thing.account_id !== user.account.id) return false;
  return reach === "account" || thing.created_by === user.id;
}

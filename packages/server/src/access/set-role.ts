import type { UserRole } from "../records/schema.ts";
import { changeUser } from "./change-user.ts";
import type { Desk } from "./desk.ts";
import type { UserSummary } from "./user-summary.ts";

/** Gives a user another role; signed in anew they have it. */
export async function setRole(desk: Desk, named: string, role: UserRole): Promise<UserSummary> {
  return await changeUser(desk, named, {
    to: () => ({ role }),
    action: "user.set_role",
    detail: (before) => ({ before: before.role, role }),
  });
}

import { changeUser } from "./change-user.ts";
import type { Desk } from "./desk.ts";
import type { UserSummary } from "./user-summary.ts";

/** Shuts a user out, at once and everywhere, or lets them in again. Keys that they made are the account's and stay. */
export async function disableUser(desk: Desk, named: string, isDisabled: boolean): Promise<UserSummary> {
  return await changeUser(desk, named, {
    to: () => ({ disabled_at: isDisabled ? new Date(desk.clock()) : null }),
    action: isDisabled ? "user.disable" : "user.enable",
  });
}

import type { UserRole } from "../records/schema.ts";
import type { Caller, CallerPlan } from "./caller.ts";

/** Who is signed in. */
export type SessionUser = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: UserRole;
  /** True until a password that somebody else made was replaced; nothing else may be done before. */
  readonly mustChangePassword: boolean;
  readonly account: { readonly id: string; readonly name: string; readonly plan: CallerPlan };
};

/** The user as one who asks datasets: the account's plan, an allowance of their own, usage under the user's id. */
export function toCaller({ id, account }: SessionUser): Caller {
  return { keyId: id, prefix: id, accountId: account.id, plan: account.plan, datasets: null };
}

import { changeUser } from "./change-user.ts";
import type { CreatedUser } from "./create-user.ts";
import type { Desk } from "./desk.ts";
import { firstPassword } from "./first-password.ts";
import { passwordInput } from "./password-input.ts";
import { hashPassword } from "./passwords.ts";
import { readInput } from "./read-input.ts";

/** Gives a user a new password: `own` where it is theirs, else a first one, told once, that must be changed. */
export async function resetPassword(
  desk: Desk,
  named: string,
  own?: string,
  hash: (password: string) => Promise<string> = hashPassword,
): Promise<CreatedUser> {
  const password = own === undefined ? firstPassword() : readInput(passwordInput, own);
  const password_hash = await hash(password);
  const user = await changeUser(desk, named, {
    to: () => ({ password_hash, must_change_password: own === undefined }),
    action: "user.reset_password",
  });
  return { user, password: own === undefined ? password : undefined };
}

import { z } from "zod";
import { AccessError, readInput } from "./access-error.ts";
import { changeUser, findHashLike } from "./users.ts";
import type { AdminContext } from "./change.ts";
import { findUser } from "./find.ts";
import { normal, requireNotOwn, passwordInput } from "./passwords.ts";
import type { SessionUser } from "./sessions.ts";
import type { SignInHouse } from "./sign-in.ts";

const input = z.strictObject({ current_password: z.string().min(1).max(1000), new_password: passwordInput });

export type PasswordFrom = { readonly address: string; readonly session: string };

/**
 * Changes a user's own password; all their other sessions end. Throws AccessError: invalid input, including a wrong
 * current password; CallerError RATE_LIMITED, which shares its count with sign-in attempts.
 */
export async function changePassword(
  admin: AdminContext,
  { passwords, throttle }: SignInHouse,
  user: SessionUser,
  requested: z.input<typeof input>,
  from: PasswordFrom,
): Promise<void> {
  const { current_password: current, new_password: wanted } = readInput(input, requested);
  await throttle.take(from.address, user.email);
  const { password_hash: stored } = await findUser(admin, user.id);
  const [isRight] = await passwords.verify([stored], current);
  if (!isRight) throw notYours();
  await throttle.giveBack(from.address, user.email);
  if (normal(wanted) === normal(current)) throw wrong("new_password", "is your current password");
  requireNotOwn(wanted, user, "new_password");
  const password_hash = await passwords.hash(wanted, await findHashLike(admin, user.email, user.id));
  await changeUser(admin, user.id, {
    to: { password_hash, must_change_password: false },
    action: "user.change_password",
    // Another password may have been set while this one was checked and hashed.
    check: async (_inside, before) => {
      if (before.password_hash !== stored) throw notYours();
    },
    keepSession: from.session,
  });
}

const notYours = (): AccessError => wrong("current_password", "is not your password");

function wrong(path: string, problem: string): AccessError {
  return new AccessError("invalid", `${path} ${problem}`, [{ path, problem }]);
}

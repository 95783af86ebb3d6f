import type { UserRow } from "../records/schema.ts";
import { audit } from "./audit.ts";
import { change } from "./change.ts";
import type { Desk } from "./desk.ts";
import { findUser } from "./find-user.ts";
import { toUserSummary, type UserSummary } from "./user-summary.ts";
import { sessionDigest } from "./session-token.ts";

type Changed = Partial<Pick<UserRow, "role" | "password_hash" | "must_change_password" | "disabled_at">>;

export type UserChange = {
  /** What to write, from what is there. */
  readonly to: (user: UserRow) => Changed;
  readonly action: string;
  readonly detail?: (before: UserRow) => object;
  /** The secret of the session that goes on; every other ends. */
  readonly keepSession?: string;
};

/** Changes a user (id or address), ends the user's sessions, and writes it down: all of it or nothing. */
export async function changeUser(desk: Desk, named: string, wanted: UserChange): Promise<UserSummary> {
  return await change(desk, async (inside) => {
    const before = await findUser(inside, named);
    const after = await inside.db
      .updateTable("users")
      .set(wanted.to(before))
      .where("id", "=", before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await endSessions(inside, before.id, wanted.keepSession);
    const { action, detail } = wanted;
    await audit(inside, { action, subject: before.id, account: before.account_id, detail: detail?.(before) ?? {} });
    return toUserSummary(after);
  });
}

/** Ends a user's sessions; the one with the secret `but` goes on. */
async function endSessions(desk: Desk, userId: string, but?: string): Promise<void> {
  let ended = desk.db.deleteFrom("sessions").where("user_id", "=", userId);
  if (but !== undefined) ended = ended.where("digest", "!=", sessionDigest(but));
  await ended.execute();
}

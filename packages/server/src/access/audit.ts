import type { Desk } from "./desk.ts";

/** What was done: to what, whose affair it is (an account's id; null where no account is meant), and what about it. */
export type Done = {
  readonly action: string;
  readonly subject: string;
  readonly account: string | null;
  readonly detail?: object;
};

/** Writes who changed what; in the same transaction as the change. */
export async function audit(desk: Desk, { action, subject, account, detail = {} }: Done): Promise<void> {
  await desk.db
    .insertInto("audit")
    .values({
      actor: desk.actor,
      user_id: desk.userId ?? null,
      account_id: account,
      action,
      subject,
      detail: JSON.stringify(detail),
      at: new Date(desk.clock()),
    })
    .execute();
}

import type { Selectable, Updateable, Kysely } from "kysely";
import type { RecordsSchema } from "../records/schema.ts";

/** An audited action: its subject, the account concerned (an id; null if none), and details. */
export type Done = {
  readonly action: string;
  readonly subject: string;
  readonly account: string | null;
  readonly detail?: object;
};

/** Runs a change in one transaction: all of it, including its audit entry, or nothing. */
export async function change<T>(admin: AdminContext, run: (admin: AdminContext) => Promise<T>): Promise<T> {
  return await admin.db.transaction().execute(async (transaction) => await run({ ...admin, db: transaction }));
}

/** Writes an audit entry, in the same transaction as the change. */
export async function audit(admin: AdminContext, { action, subject, account, detail = {} }: Done): Promise<void> {
  await admin.db
    .insertInto("audit")
    .values({
      actor: admin.actor,
      user_id: admin.userId ?? null,
      account_id: account,
      action,
      subject,
      detail: JSON.stringify(detail),
      at: new Date(admin.clock()),
    })
    .execute();
}

type Table = "accounts" | "users" | "api_keys";

/** Updates the row whose id is the action's subject and writes the audit entry; the caller provides the transaction. */
export async function writeRow<T extends Table>(
  admin: AdminContext,
  table: T,
  values: Updateable<RecordsSchema[T]>,
  done: Done,
): Promise<Selectable<RecordsSchema[T]>> {
  const changed = await admin.db
    // Each of these tables has a text `id`, so one table name serves for all in the types.
    .updateTable(table as "users")
    .set(values as Updateable<RecordsSchema["users"]>)
    .where("id", "=", done.subject)
    .returningAll()
    .executeTakeFirstOrThrow();
  await audit(admin, done);
  return changed as unknown as Selectable<RecordsSchema[T]>;
}

/** Context for managing accounts, users, keys and plans; every change is audited under `actor`. */
export type AdminContext = {
  readonly db: Kysely<RecordsSchema>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** An e-mail address, or the command line's user. */
  readonly actor: string;
  /** The signed-in user; absent on the command line. */
  readonly userId?: string;
};

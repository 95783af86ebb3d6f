import type { UserRow } from "../records/schema.ts";
import { AccessError } from "./access-error.ts";
import type { Desk } from "./desk.ts";

/** The user with this id or e-mail address. */
export async function findUser(desk: Desk, idOrEmail: string): Promise<UserRow> {
  const user = await desk.db
    .selectFrom("users")
    .selectAll()
    .where((by) => by.or([by("id", "=", idOrEmail), by("email", "=", idOrEmail.trim().toLowerCase())]))
    .executeTakeFirst();
  if (!user) throw new AccessError("not_found", `no user has the id or address ${idOrEmail}`);
  return user;
}

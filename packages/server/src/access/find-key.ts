import type { KeyRow } from "../records/schema.ts";
import { AccessError } from "./access-error.ts";
import type { Desk } from "./desk.ts";
import { digestOf, isKey } from "./key-format.ts";

/** The key with this id, this public prefix (where only one has it) or this secret. */
export async function findKey(desk: Desk, named: string): Promise<KeyRow> {
  const query = desk.db.selectFrom("api_keys").selectAll().limit(2);
  const rows = await (
    isKey(named)
      ? query.where("digest", "=", digestOf(named))
      : query.where((by) => by.or([by("id", "=", named), by("prefix", "=", named)]))
  ).execute();
  const [row, another] = rows;
  // A mistyped secret must not come back in a message or a log.
  if (!row) throw new AccessError("not_found", "no key has this id or prefix");
  if (another) throw new AccessError("conflict", `several keys have the prefix ${row.prefix}; name one by its id`);
  return row;
}

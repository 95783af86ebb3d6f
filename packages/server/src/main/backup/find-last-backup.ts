import type { Records } from "../../records/records.ts";

/** When the last backup of these records' service ended well, to whatever place; undefined where none ever did. */
export async function findLastBackup({ db }: Pick<Records, "db">): Promise<Date | undefined> {
  const row = await db
    .selectFrom("audit")
    .select("at")
    .where("action", "=", "backup.create")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.at;
}

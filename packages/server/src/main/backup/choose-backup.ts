import { CommandError } from "../../cli/command.ts";
import { listNames } from "../../store/backup/manifest.ts";
import type { BackupStorage } from "../../store/backup/storage.ts";
import type { Records } from "../../records/records.ts";

/** The backup of that name, or the newest. Throws CommandError if there is none. */
export async function chooseBackup(storage: BackupStorage, name: unknown): Promise<string> {
  const names = await listNames(storage);
  if (names.length === 0) throw new CommandError(3, `${storage.place} has no complete backup`);
  const chosen = typeof name === "string" ? names.find((one) => one === name) : names.at(-1);
  if (chosen === undefined)
    throw new CommandError(3, `${storage.place} has no backup ${String(name)}; there are ${names.join(", ")}`);
  return chosen;
}

/** When the last backup of this service completed, to any location; undefined if none ever did. */
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

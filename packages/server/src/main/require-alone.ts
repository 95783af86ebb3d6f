import { CommandError } from "../cli/command-error.ts";
import type { Records } from "../records/records.ts";
import { isInUse } from "./is-in-use.ts";

/** Throws CommandError while processes of these records gather, work out or backfill: what they stored would be lost. */
export async function requireAlone(records: Pick<Records, "db">, tables: readonly string[]): Promise<void> {
  if (!(await isInUse(records))) return;
  throw new CommandError(
    1,
    `a migration copies the rows of ${tables.join(", ")} into another layout, and what others store there meanwhile would be lost: stop every process that gathers, works out or backfills, wait 20 seconds, and run it again (docs/deploy.md, Upgrades)`,
  );
}

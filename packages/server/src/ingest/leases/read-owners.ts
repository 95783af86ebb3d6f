import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

/** Who does a piece of the work now; `takes` counts how often it passed to somebody. */
export type Owner = {
  readonly lease: string;
  /** Host and process; null where nobody has it. */
  readonly process: string | null;
  /** ISO. */
  readonly since: string | null;
  readonly takes: number;
};

/** Every piece of the work that processes share; none where one process does all of it. */
export async function readOwners(db: Kysely<RecordsSchema>): Promise<readonly Owner[]> {
  const rows = await db
    .selectFrom("leases")
    .leftJoin("processes", "processes.id", "leases.owner")
    .select((row) => [
      "leases.name",
      "label",
      "since",
      "token",
      row("leases.expires_at", ">=", row.fn<Date>("clock_timestamp")).as("is_held"),
    ])
    .orderBy("leases.name")
    .execute();
  return rows.map(({ name, label, since, token, is_held: isHeld }) => ({
    lease: name,
    process: isHeld ? label : null,
    since: isHeld ? (since?.toISOString() ?? null) : null,
    takes: token,
  }));
}

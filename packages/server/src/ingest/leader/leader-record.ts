import { sql, type Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

type Db = Kysely<RecordsSchema>;

/**
 * The process that ingests and derives, by host and process id; since when, and how many times the lease has been
 * taken.
 */
export type Leader = { readonly process: string; readonly since: string; readonly takes: number };

const LEADER = "leader";
/** The records database's clock, which all processes share. */
const NOW = sql<Date>`clock_timestamp()`;
const until = (seconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${seconds}::double precision)`;

/** `from`: the process whose lease expired; null if it was released or never taken. */
export type Taken = { readonly token: number; readonly from: string | null };

/**
 * Takes the lease if no process holds it or is writing under it; an expired one that was not released only if
 * `mayTakeOver`. The token changes, so the previous holder's is invalid.
 */
export function takeLead(
  db: Db,
  { label, seconds, mayTakeOver }: { readonly label: string; readonly seconds: number; readonly mayTakeOver: boolean },
): Promise<Taken | undefined> {
  return db.transaction().execute(async (work) => {
    const free = await work
      .selectFrom("leases")
      .select("owner")
      .where("name", "=", LEADER)
      .where("expires_at", "<", NOW)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (free === undefined || (free.owner !== null && !mayTakeOver)) return undefined;
    const { token } = await work
      .updateTable("leases")
      .set((set) => ({ owner: label, token: set("token", "+", 1), since: NOW, expires_at: until(seconds) }))
      .where("name", "=", LEADER)
      .returning("token")
      .executeTakeFirstOrThrow();
    return { token, from: free.owner };
  });
}

/** Returns false if another process has taken it; an expired lease can be renewed as long as none has. */
export async function renewLead(db: Db, token: number, seconds: number): Promise<boolean> {
  const [renewed] = await db
    .updateTable("leases")
    .set({ expires_at: until(seconds) })
    .where("name", "=", LEADER)
    .where("token", "=", token)
    .returning("token")
    .execute();
  return renewed !== undefined;
}

/** Releases the lease for the next process that checks. Changes nothing if another process has taken it. */
export async function giveLeadBack(db: Db, token: number): Promise<void> {
  await db
    .updateTable("leases")
    .set({ owner: null, expires_at: sql<Date>`'-infinity'` })
    .where("name", "=", LEADER)
    .where("token", "=", token)
    .execute();
}

/** Undefined if no process leads now, and with embedded records, whose only process always does. */
export async function findLeader(db: Db): Promise<Leader | undefined> {
  const row = await db
    .selectFrom("leases")
    .select(["owner", "since", "token"])
    .where("name", "=", LEADER)
    .where("expires_at", ">=", NOW)
    .executeTakeFirst();
  if (row === undefined || row.owner === null || row.since === null) return undefined;
  return { process: row.owner, since: row.since.toISOString(), takes: row.token };
}

import { sql, type Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

type Db = Kysely<RecordsSchema>;

/** Who gathers and works out, by host and process; since when, and which time it is that somebody does. */
export type Leader = { readonly process: string; readonly since: string; readonly takes: number };

const LEADER = "leader";
/** The records' clock, which all processes share. */
const NOW = sql<Date>`clock_timestamp()`;
const until = (seconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${seconds}::double precision)`;

/** `from`: the process whose lease ran out; null where it was given back or nobody ever led. */
export type Taken = { readonly token: number; readonly from: string | null };

/**
 * Takes the lease where nobody holds it, or is writing under it, now; one that ran out and was not given back only where
 * `mayTakeOver`. Whoever held it before has another token.
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

/** False where somebody else has it; one that ran out is still its holder's as long as nobody took it. */
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

/** Whoever looks next takes it. Nothing changes where it passed to somebody else. */
export async function giveLeadBack(db: Db, token: number): Promise<void> {
  await db
    .updateTable("leases")
    .set({ owner: null, expires_at: sql<Date>`'-infinity'` })
    .where("name", "=", LEADER)
    .where("token", "=", token)
    .execute();
}

/** Undefined where nobody leads now, and with embedded records, whose one process does. */
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

import { sql, type Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

/** A process of this weight calls these hosts; `seconds` from now it is forgotten unless it says so again. */
export type BudgetClaim = {
  readonly owner: string;
  readonly weight: number;
  readonly hosts: readonly string[];
  readonly seconds: number;
};

/**
 * Writes a process's claims down and answers, by host, which part (0 to 1) of its limits is this process's: its weight
 * among the weights of all that call the host now. Time is the database's, which all processes share.
 */
export async function claimBudgets(
  db: Kysely<RecordsSchema>,
  { owner, weight, hosts, seconds }: BudgetClaim,
): Promise<ReadonlyMap<string, number>> {
  if (hosts.length === 0) return new Map();
  const expires_at = sql<Date>`now() + make_interval(secs => ${seconds}::double precision)`;
  await db
    .insertInto("budget_claims")
    .values(hosts.map((host) => ({ host, owner, weight, expires_at })))
    .onConflict((conflict) => conflict.columns(["host", "owner"]).doUpdateSet({ weight, expires_at }))
    .execute();
  await db
    .deleteFrom("budget_claims")
    .where("expires_at", "<", sql<Date>`now()`)
    .execute();
  const claims = await db.selectFrom("budget_claims").select(["host", "weight"]).where("host", "in", hosts).execute();
  const all = new Map<string, number>();
  for (const claim of claims) all.set(claim.host, (all.get(claim.host) ?? 0) + claim.weight);
  return new Map(hosts.map((host) => [host, weight / Math.max(weight, all.get(host) ?? weight)]));
}

/** The process calls nobody any more: what it had is the others' at their next turn. */
export async function dropClaims(db: Kysely<RecordsSchema>, owner: string): Promise<void> {
  await db.deleteFrom("budget_claims").where("owner", "=", owner).execute();
}

/** The process calls these hosts no more. */
export async function dropHosts(db: Kysely<RecordsSchema>, owner: string, hosts: readonly string[]): Promise<void> {
  if (hosts.length === 0) return;
  await db.deleteFrom("budget_claims").where("owner", "=", owner).where("host", "in", hosts).execute();
}

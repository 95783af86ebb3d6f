import { sql } from "kysely";
import { z } from "zod";
import { MAX_LIST } from "../definition/param.ts";
import type { PlanRow } from "../records/schema.ts";
import { audit, change, type AdminContext } from "./change.ts";
import { findPlan } from "./find.ts";
import { readInput } from "./access-error.ts";
import { MAX_OF_ACCOUNT } from "./quotas.ts";

export type ListedPlan = PlanRow & { readonly accounts: number };

export async function listPlans(admin: AdminContext): Promise<readonly ListedPlan[]> {
  return await admin.db
    .selectFrom("plans")
    .selectAll("plans")
    .select(sql<number>`(select count(*) from accounts where accounts.plan = plans.name)`.as("accounts"))
    .orderBy("rank")
    .orderBy("name")
    .execute();
}

const MAX_RATE = 1_000_000;
/** The number of concurrent requests a process allows one account (http/bounds.ts). */
const MAX_AT_ONCE = 128;

const input = z.strictObject({
  requests_per_minute: z.int().min(1).max(MAX_RATE).optional(),
  burst: z.int().min(1).max(MAX_RATE).optional(),
  max_page: z.int().min(1).max(10_000).optional(),
  max_list: z.int().min(1).max(MAX_LIST).optional(),
  at_once: z.int().min(1).max(MAX_AT_ONCE).optional(),
  key_at_once: z.int().min(1).max(MAX_AT_ONCE).optional(),
  keys: z.int().min(1).max(MAX_OF_ACCOUNT).optional(),
  users: z.int().min(1).max(MAX_OF_ACCOUNT).optional(),
  /** "all", or agent ids and names of plans whose datasets it includes. */
  datasets: z
    .union([z.literal("all"), z.array(z.union([z.int().positive(), z.string().min(1)])).max(1000)], {
      error: 'expected "all" or a list of at most 1,000 agent ids and names of plans',
    })
    .optional(),
});

/** Changes the limits of a plan; takes effect within one second on every node. Absent fields stay unchanged. */
export async function editPlan(admin: AdminContext, name: string, requested: z.input<typeof input>): Promise<PlanRow> {
  const { datasets, ...numbers } = readInput(input, requested);
  return await change(admin, async (inside) => {
    // Locks the plan: the second of two concurrent edits starts from the first one's result.
    await inside.db.selectFrom("plans").select("name").where("name", "=", name).forUpdate().execute();
    const before = await findPlan(inside, name);
    for (const item of Array.isArray(datasets) ? datasets : []) {
      if (typeof item === "string") await findPlan(inside, item);
    }
    const changed = await inside.db
      .updateTable("plans")
      // An absent limit is undefined, which sets nothing.
      .set({ ...numbers, datasets: JSON.stringify(datasets ?? before.datasets) })
      .where("name", "=", name)
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit(inside, { action: "plan.edit", subject: name, account: null, detail: { before, after: changed } });
    return changed;
  });
}

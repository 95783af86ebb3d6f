import { sql } from "kysely";
import type { PlanRow } from "../records/schema.ts";
import type { Desk } from "./desk.ts";

export type ListedPlan = PlanRow & { readonly accounts: number };

export async function listPlans(desk: Desk): Promise<readonly ListedPlan[]> {
  return await desk.db
    .selectFrom("plans")
    .selectAll("plans")
    .select(sql<number>`(select count(*) from accounts where accounts.plan = plans.name)`.as("accounts"))
    .orderBy("rank")
    .orderBy("name")
    .execute();
}

import type { PlanRow } from "../records/schema.ts";
import { AccessError } from "./access-error.ts";
import type { Desk } from "./desk.ts";

export async function findPlan(desk: Desk, name: string): Promise<PlanRow> {
  const plans = await desk.db.selectFrom("plans").selectAll().orderBy("rank").execute();
  const plan = plans.find((known) => known.name === name);
  if (plan) return plan;
  throw new AccessError(
    "not_found",
    `no plan is named ${name}; there are ${plans.map((known) => known.name).join(", ")}`,
  );
}

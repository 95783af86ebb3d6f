import type { PlanRow } from "../records/schema.ts";
import type { Desk } from "./desk.ts";

export async function listPlans(desk: Desk): Promise<readonly PlanRow[]> {
  return await desk.db.selectFrom("plans").selectAll().orderBy("rank").orderBy("name").execute();
}

import { z } from "zod";
import { editPlan } from "../../access/edit-plan.ts";
import { listPlans } from "../../access/list-plans.ts";
import type { ConsoleDoor } from "./console-door.ts";
import type { ConsoleOptions } from "./console-options.ts";
import { requireKnownDatasets } from "./require-known-datasets.ts";

const agentIds = z.array(z.unknown()).transform((all) => all.filter((one) => typeof one === "number"));

/** What plans allow; the operator changes it, and it holds from the next request on. */
export function addPlanRoutes({ on }: ConsoleDoor, { catalogue }: ConsoleOptions): void {
  on("plans.list", async ({ desk }) => ({ plans: await listPlans(desk) }));
  on("plans.edit", async ({ desk, params, body }) => {
    requireKnownDatasets(catalogue, agentIds.safeParse(body["datasets"]).data ?? []);
    return { plan: await editPlan(desk, params["name"] ?? "", body) };
  });
}

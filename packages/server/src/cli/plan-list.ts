import { listPlans } from "../access/list-plans.ts";
import { deskCommand } from "./desk-command.ts";
import { textTable } from "./text-table.ts";

export const planList = deskCommand({
  name: "list",
  description: "List plans and what they allow",
  args: {},
  run: async (desk) => {
    const plans = await listPlans(desk);
    const rows = plans.map((p) => [p.name, p.requests_per_minute, p.burst, p.max_page, p.datasets]);
    return { value: plans, text: textTable(["PLAN", "REQUESTS/MIN", "BURST", "MAX PAGE", "DATASETS"], rows) };
  },
});

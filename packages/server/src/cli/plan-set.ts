import { setPlan } from "../access/set-plan.ts";
import { deskCommand } from "./desk-command.ts";

export const planSet = deskCommand({
  name: "set",
  description: "Put an account on a plan; felt within one second",
  args: {
    account: { type: "positional", required: true, description: "Account id or e-mail address" },
    plan: { type: "positional", required: true, description: "Name of the plan" },
  },
  run: async (desk, { account, plan }) => {
    const changed = await setPlan(desk, account, plan);
    return { value: changed, text: `Account ${changed.email} is on the plan ${changed.plan}.` };
  },
});

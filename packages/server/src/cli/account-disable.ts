import { disableAccount } from "../access/disable-account.ts";
import { deskCommand } from "./desk-command.ts";

export const accountDisable = deskCommand({
  name: "disable",
  description: "Shut an account: all its keys are refused within one second",
  args: {
    account: { type: "positional", required: true, description: "Account id or e-mail address" },
    undo: { type: "boolean", description: "Open it again" },
  },
  run: async (desk, { account, undo }) => {
    const changed = await disableAccount(desk, account, !undo);
    return { value: changed, text: `Account ${changed.email} is ${changed.disabled_at ? "disabled" : "open"}.` };
  },
});

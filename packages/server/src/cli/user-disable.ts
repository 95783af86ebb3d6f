import { disableUser } from "../access/disable-user.ts";
import { deskCommand } from "./desk-command.ts";

export const userDisable = deskCommand({
  name: "disable",
  description: "Shut a user out at once; keys they made are the account's and stay",
  args: {
    user: { type: "positional", required: true, description: "User id or e-mail address" },
    undo: { type: "boolean", description: "Let them in again" },
  },
  run: async (desk, { user, undo }) => {
    const changed = await disableUser(desk, user, !undo);
    return { value: changed, text: `User ${changed.email} is ${changed.disabled_at ? "disabled" : "let in"}.` };
  },
});

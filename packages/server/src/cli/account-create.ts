import { createAccount } from "../access/create-account.ts";
import { deskCommand } from "./desk-command.ts";

export const accountCreate = deskCommand({
  name: "create",
  description: "Make an account",
  args: {
    name: { type: "string", required: true, description: "Who it is for" },
    email: { type: "string", required: true, description: "E-mail address; one account each" },
    plan: { type: "string", description: "Plan (default: free)" },
    admin: { type: "boolean", description: "May manage other accounts in the dashboard" },
  },
  run: async (desk, { name, email, plan, admin }) => {
    const account = await createAccount(desk, {
      name,
      email,
      role: admin ? "admin" : "member",
      ...(plan === undefined ? {} : { plan }),
    });
    const { id } = account;
    return { value: account, text: `Account ${id} (${account.email}) is on the plan ${account.plan}.` };
  },
});

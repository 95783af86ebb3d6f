import { createAccount } from "../access/accounts.ts";
import { deskCommand } from "./desk-command.ts";
import { passwordText } from "./password-text.ts";
import { readPassword } from "./read-password.ts";

export const accountCreate = deskCommand({
  name: "create",
  description: "Make an account and the user who owns it; a first password is shown once",
  args: {
    name: { type: "string", required: true, description: "Who it is for" },
    email: { type: "string", required: true, description: "E-mail address; one account each, and its owner's" },
    plan: { type: "string", description: "Plan (default: free)" },
    operator: { type: "boolean", description: "The user manages the whole service, not only the account" },
    "password-stdin": { type: "boolean", description: "Read the user's password from standard input instead" },
  },
  run: async (desk, { name, email, plan, operator, "password-stdin": isGiven }) => {
    const { account, user, password } = await createAccount(desk, {
      name,
      email,
      role: operator ? "operator" : "owner",
      ...(plan === undefined ? {} : { plan }),
      ...(isGiven ? { password: await readPassword() } : {}),
    });
    return {
      value: { ...account, user, ...(password === undefined ? {} : { password }) },
      text: `Account ${account.id} (${account.email}) is on the plan ${account.plan}.\n${passwordText(user, password)}`,
    };
  },
});

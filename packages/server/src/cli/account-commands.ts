import { createAccount, disableAccount, listAccounts } from "../access/accounts.ts";
import { adminCommand, listCommand } from "./admin-command.ts";
import { group } from "./command.ts";
import { passwordText, readPassword } from "./password.ts";

const create = adminCommand({
  name: "create",
  description: "Create an account and its owner; a first password is shown once",
  args: {
    name: { type: "string", required: true, description: "Name of the account" },
    email: { type: "string", required: true, description: "E-mail address; one account each, and its owner's" },
    plan: { type: "string", description: "Plan (default: free)" },
    operator: { type: "boolean", description: "The user manages the whole service, not only the account" },
    "password-stdin": { type: "boolean", description: "Read the user's password from standard input instead" },
  },
  run: async (admin, { name, email, plan, operator, "password-stdin": isGiven }) => {
    const { account, user, password } = await createAccount(admin, {
      name,
      email,
      role: operator ? "operator" : "owner",
      plan,
      password: isGiven ? await readPassword() : undefined,
    });
    return {
      value: { ...account, user, password },
      text: `Account ${account.id} (${account.email}) is on the plan ${account.plan}.\n${passwordText(user, password)}`,
    };
  },
});

const list = listCommand({
  of: "account",
  read: (admin, { after }) => listAccounts(admin, after),
  linesOf: (page) => page.accounts,
  columns: { ID: "id", NAME: "name", EMAIL: "email", PLAN: "plan", CREATED: "created_at", DISABLED: "disabled_at" },
});

const disable = adminCommand({
  name: "disable",
  description: "Disable an account: all its keys are refused within one second",
  args: {
    account: { type: "positional", required: true, description: "Account id or e-mail address" },
    undo: { type: "boolean", description: "Enable it again" },
  },
  run: async (admin, { account, undo }) => {
    const changed = await disableAccount(admin, account, !undo);
    return { value: changed, text: `Account ${changed.email} is ${changed.disabled_at ? "disabled" : "enabled"}.` };
  },
});

export const accountCommands = group("account", "Create and list accounts", { create, list, disable });

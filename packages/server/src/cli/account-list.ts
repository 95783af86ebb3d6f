import { listAccounts } from "../access/list-accounts.ts";
import { deskCommand } from "./desk-command.ts";
import { textTable } from "./text-table.ts";

export const accountList = deskCommand({
  name: "list",
  description: "List accounts, oldest first, 1,000 at a time",
  args: { after: { type: "string", description: "Go on after this account id" } },
  run: async (desk, { after }) => {
    const { accounts } = await listAccounts(desk, after);
    const rows = accounts.map((a) => [a.id, a.name, a.email, a.plan, a.created_at, a.disabled_at]);
    return {
      value: accounts,
      text: textTable(["ID", "NAME", "EMAIL", "PLAN", "CREATED", "DISABLED"], rows),
    };
  },
});

import { listAccounts } from "../access/list-accounts.ts";
import { deskCommand } from "./desk-command.ts";
import { listTable } from "./list-table.ts";

const HEADINGS = ["ID", "NAME", "EMAIL", "PLAN", "CREATED", "DISABLED"];

export const accountList = deskCommand({
  name: "list",
  description: "List accounts, oldest first, 1,000 at a time",
  args: { after: { type: "string", description: "Go on after this account id" } },
  run: async (desk, { after }) => {
    const page = await listAccounts(desk, after);
    const text = listTable(HEADINGS, page.accounts, page.has_more, (a) => [
      a.id,
      a.name,
      a.email,
      a.plan,
      a.created_at,
      a.disabled_at,
    ]);
    return { value: page, text };
  },
});

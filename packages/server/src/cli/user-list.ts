import { listUsers } from "../access/users.ts";
import { deskCommand } from "./desk-command.ts";
import { listTable } from "./list-table.ts";

const HEADINGS = ["ID", "NAME", "EMAIL", "ACCOUNT", "ROLE", "CREATED", "LAST SIGN-IN", "DISABLED"];

export const userList = deskCommand({
  name: "list",
  description: "List users, oldest first, 1,000 at a time",
  args: {
    account: { type: "string", description: "Only of this account (id or e-mail address)" },
    after: { type: "string", description: "Go on after this user id" },
  },
  run: async (desk, { account, after }) => {
    const page = await listUsers(desk, account, after);
    const text = listTable(HEADINGS, page.users, page.has_more, (u) => [
      u.id,
      u.name,
      u.email,
      u.account_name,
      u.role,
      u.created_at,
      u.last_sign_in_at,
      u.disabled_at,
    ]);
    return { value: page, text };
  },
});

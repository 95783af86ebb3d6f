import { listKeys } from "../access/keys.ts";
import { deskCommand } from "./desk-command.ts";
import { listTable } from "./list-table.ts";

const HEADINGS = ["ID", "PREFIX", "NAME", "ACCOUNT", "STATE", "DATASETS", "EXPIRES", "LAST USED", "REPLACED BY"];

export const keyList = deskCommand({
  name: "list",
  description: "List keys, oldest first, 1,000 at a time; the keys themselves are not stored",
  args: {
    account: { type: "string", description: "Only of this account (id or e-mail address)" },
    after: { type: "string", description: "Go on after this key id" },
  },
  run: async (desk, { account, after }) => {
    const page = await listKeys(desk, account, after);
    const text = listTable(HEADINGS, page.keys, page.has_more, (key) => [
      key.id,
      key.prefix,
      key.name,
      key.account_id,
      key.state,
      key.datasets,
      key.expires_at,
      key.last_used_at,
      key.replaced_by,
    ]);
    return { value: page, text };
  },
});

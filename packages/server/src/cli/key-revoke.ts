import { revokeKey } from "../access/revoke-key.ts";
import { deskCommand } from "./desk-command.ts";

export const keyRevoke = deskCommand({
  name: "revoke",
  description: "Revoke a key for good; it is refused everywhere within one second",
  args: { key: { type: "positional", required: true, description: "Key id, public prefix, or the key itself" } },
  run: async (desk, { key }) => {
    const revoked = await revokeKey(desk, key);
    return { value: revoked, text: `Key ${revoked.id} (${revoked.prefix}…) is revoked.` };
  },
});

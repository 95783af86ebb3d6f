import { z } from "zod";
import { listAudit } from "../../access/list-audit.ts";
import { readInput } from "../../access/read-input.ts";
import { accountAsked } from "./account-asked.ts";
import type { ConsoleDoor } from "./console-door.ts";

const input = z.strictObject({
  before: z.string().optional(),
  limit: z.string().optional(),
  account: z.string().optional(),
});

/** Who changed what. */
export function addAuditRoute({ on }: ConsoleDoor): void {
  on("audit.list", async ({ user, desk, query }) => {
    const { account: named, ...page } = readInput(input, query);
    const account = accountAsked(user, "audit.read", named);
    return await listAudit(desk, { ...page, ...(account === undefined ? {} : { account }) });
  });
}

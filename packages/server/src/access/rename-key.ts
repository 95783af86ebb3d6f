import { z } from "zod";
import { audit } from "./audit.ts";
import { change } from "./change.ts";
import type { Desk } from "./desk.ts";
import { findKey } from "./find-key.ts";
import { toSummary, type KeySummary } from "./key-summary.ts";
import { readInput } from "./read-input.ts";

const input = z.strictObject({ name: z.string().trim().min(1).max(200) });

/** Gives a key (by id or prefix) another name. */
export async function renameKey(desk: Desk, named: string, asked: z.input<typeof input>): Promise<KeySummary> {
  const { name } = readInput(input, asked);
  return await change(desk, async (inside) => {
    const { id, name: before, account_id: account } = await findKey(inside, named);
    const renamed = await inside.db
      .updateTable("api_keys")
      .set({ name })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit(inside, { action: "key.rename", subject: id, account, detail: { before, name } });
    return toSummary(inside, renamed);
  });
}

import type { Desk } from "./desk.ts";

/** Writes who changed what; in the same transaction as the change. */
export async function audit(desk: Desk, action: string, subject: string, detail: object = {}): Promise<void> {
  await desk.db
    .insertInto("audit")
    .values({ actor: desk.actor, action, subject, detail: JSON.stringify(detail), at: new Date(desk.clock()) })
    .execute();
}

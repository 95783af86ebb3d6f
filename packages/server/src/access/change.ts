import type { Desk } from "./desk.ts";

/** Runs a change in one transaction: all of it, its audit line included, or nothing. */
export async function change<T>(desk: Desk, run: (desk: Desk) => Promise<T>): Promise<T> {
  return await desk.db.transaction().execute(async (transaction) => await run({ ...desk, db: transaction }));
}

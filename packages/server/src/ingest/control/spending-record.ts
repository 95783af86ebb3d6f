import { sql, type Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

type Db = Kysely<RecordsSchema>;
/** A host's bill for a UTC day (YYYY-MM-DD). */
export type BillDay = { readonly host: string; readonly day: string };

/** The most the host may have billed on that day, in millionths of a dollar. */
export async function findSpent(db: Db, { host, day }: BillDay): Promise<number> {
  const row = await db
    .selectFrom("spending")
    .select("micro_usd")
    .where("host", "=", host)
    .where("day", "=", day)
    .executeTakeFirst();
  return row?.micro_usd ?? 0;
}

/** Adds `micro` to the day unless that exceeds the cap; returns the day's total, or undefined if it would. */
export async function reserveSpending(
  db: Db,
  { host, day }: BillDay,
  micro: number,
  capMicro: number,
): Promise<number | undefined> {
  if (micro > capMicro) return undefined;
  const row = await db
    .insertInto("spending")
    .values({ host, day, micro_usd: micro })
    .onConflict((conflict) =>
      conflict
        .columns(["host", "day"])
        .doUpdateSet((set) => ({ micro_usd: set("spending.micro_usd", "+", micro) }))
        .where(sql<boolean>`spending.micro_usd + ${micro}::bigint <= ${capMicro}::bigint`),
    )
    .returning("micro_usd")
    .executeTakeFirst();
  return row?.micro_usd;
}

/** Replaces a reservation by the billed amount; returns the day's total. */
export async function settleSpending(
  db: Db,
  { host, day }: BillDay,
  reserved: number,
  billed: number,
): Promise<number> {
  const row = await db
    .updateTable("spending")
    .set({ micro_usd: sql<number>`greatest(0, micro_usd + ${billed - reserved}::bigint)` })
    .where("host", "=", host)
    .where("day", "=", day)
    .returning("micro_usd")
    .executeTakeFirstOrThrow();
  return row.micro_usd;
}

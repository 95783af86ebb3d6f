import { type Kysely, sql } from "kysely";
import type { Host, Price } from "../definition/connector.ts";
import type { RecordsSchema } from "../records/schema.ts";
import type { Clock } from "./clock.ts";
import { SpendingCapReached } from "./feed/upstream-errors.ts";

/** The reservation of a call. `settle` replaces it by the billed amount; otherwise all of it counts. */
export type Reservation = { readonly settle: (billedMicro: number) => Promise<void> };

/** USD as decimal text. */
export type SpendingUse = { readonly day: string; readonly spentUsd: string; readonly capUsd: string };

/** A host's bill of the UTC day, kept in the records, so that it survives a restart. */
export type Spending = {
  /** Reserves the maximum cost of a call. Throws SpendingCapReached if it does not fit. */
  readonly reserve: (price: Price) => Promise<Reservation>;
  /**
   * Amount that may be billed from now on, in millionths of a dollar. The cap is released hour by hour, so that the
   * morning does not spend the evening's share.
   */
  readonly spendable: () => Promise<number>;
  /** The last known use; undefined before any. */
  readonly use: () => SpendingUse | undefined;
};

const DAY_MS = 86_400_000;
const HOURS = 24;
/** A call takes less than this, so one that begins earlier ends on the day it is counted for. */
const LAST_MS = 60_000;

export function createSpending(host: Host, capUsd: string, db: Kysely<RecordsSchema>, clock: Clock): Spending {
  const capMicro = microOf(capUsd);
  let last: { readonly day: string; readonly spent: number } | undefined;
  const report = (day: string, spent: number): void => {
    last = { day, spent };
  };
  const isOver = (): boolean => DAY_MS - (clock.now() % DAY_MS) <= LAST_MS;
  return {
    reserve: async ({ maxMicro }) => {
      const bill = { host: host.name, day: dayOf(clock.now()) };
      const spent = isOver() ? undefined : await reserveSpending(db, bill, maxMicro, capMicro);
      if (spent === undefined) throw new SpendingCapReached(host.name, host.dailyCap ?? "its cap", bill.day);
      report(bill.day, spent);
      return {
        settle: async (billed) => report(bill.day, await settleSpending(db, bill, maxMicro, billed)),
      };
    },
    spendable: async () => {
      const now = clock.now();
      const bill = { host: host.name, day: dayOf(now) };
      const spent = await findSpent(db, bill);
      report(bill.day, spent);
      const hour = Math.floor((now % DAY_MS) / (DAY_MS / HOURS));
      const released = Math.floor((capMicro * (hour + 1)) / HOURS);
      return isOver() ? 0 : Math.max(0, released - spent);
    },
    use: () => last && { day: last.day, spentUsd: usdOf(last.spent), capUsd: usdOf(capMicro) },
  };
}

const dayOf = (timestamp: number): string => new Date(timestamp).toISOString().slice(0, 10);

/** Exact conversion of dollars as decimal text with at most six decimal places. */
function microOf(usd: string): number {
  const [, whole, places = ""] = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(usd) ?? [];
  if (whole === undefined) throw new TypeError(`not an amount in USD: ${usd}`);
  return Number(whole) * 1_000_000 + Number(places.padEnd(6, "0"));
}

function usdOf(micro: number): string {
  return `${Math.floor(micro / 1_000_000)}.${String(micro % 1_000_000).padStart(6, "0")}`;
}

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

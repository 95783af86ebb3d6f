import { bind, sql, type Bound, type Sql } from "../../definition/sql.ts";

/** Selects the last `days` days (or all) that end with the day `asOf`, of some wallets or of all. */
export type WalletWindow = {
  readonly days: number | "all";
  /** An expression of type Date. */
  readonly asOf: Sql;
  /** A subquery with one column of a few wallets. */
  readonly among?: Sql;
  /** A condition on the wallet that selects one part of all wallets. */
  readonly slice?: Sql;
};

/** Lengths of a window that the datasets accept. */
export const WINDOW_LENGTHS = ["1", "3", "7", "15", "30", "90", "all"] as const;

/** A window's length from a parameter's text ("7", "7d", "all"). */
export function lengthOf(text: Bound | undefined): number | "all" {
  const value = String(text?.value ?? "all");
  return value === "all" ? "all" : Number.parseInt(value, 10);
}

/** The window's first day. */
export const firstDayOf = ({ days, asOf }: WalletWindow): Sql =>
  days === "all" ? sql`toDate('1970-01-02')` : sql`(${asOf} - ${bind("UInt16", days - 1)})`;

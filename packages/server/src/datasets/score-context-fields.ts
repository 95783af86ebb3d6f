import { dec, type Column } from "../definition/column.ts";
import { fromDefinition, type Sql } from "../definition/sql.ts";
import { CONTEXT_DAYS, contextColumn } from "../derivations/wallet-window/context-sql.ts";

const profit = (days: number, end: string): Column =>
  dec(2, "USD").describe(
    `Realised profit less fees, in all categories, over ${days} UTC ${days === 1 ? "day" : "days"} up to ${end}, that day included; not part of the score.`,
  );

/** Profit over windows other than the score's fifteen days, by field; `end` names the field with their last day. */
export const contextFields = (end: string): Readonly<Record<string, Column>> =>
  Object.fromEntries(CONTEXT_DAYS.map((days) => [`pnl_${days}d`, profit(days, end)]));

export const contextSelect: Readonly<Record<string, Sql>> = Object.fromEntries(
  CONTEXT_DAYS.map((days) => [`pnl_${days}d`, fromDefinition(contextColumn(days))]),
);

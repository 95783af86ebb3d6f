import { z } from "zod";
import type { ReplayedPage, TableRows } from "../../../definition/connector.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { polymarketPrints } from "../../../tables/polymarket-prints.ts";
import { PrintRows } from "./print-rows.ts";
import { readFrame } from "./read-frame.ts";

/** The tape of a parked frame. Throws for one with book messages: what they changed hangs on the book as it was then. */
export function replayFrame({ read }: ReplayedPage): TableRows[] {
  const prints = new PrintRows();
  const rows = readFrame(JSON.stringify(read(z.unknown()))).flatMap(({ kind, message }): InsertRow[] => {
    if (kind === "new_market") return [];
    if (kind === "last_trade_price") return [prints.toRow(message) ?? []].flat();
    throw new Error("it can be read now, but a book's changes cannot be told from one frame");
  });
  return [{ table: polymarketPrints, rows }];
}

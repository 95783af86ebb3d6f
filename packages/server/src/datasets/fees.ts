import { dec, type Column } from "../definition/column.ts";

/** The column that gives a profit before fees. */
export const fees = (of: string): Column =>
  dec(6, "USD").describe(
    `Fees of the fills of ${of}, deducted from the profit: add them to get gross profit. 0 where unknown: taker fills reported only by the Data API.`,
  );

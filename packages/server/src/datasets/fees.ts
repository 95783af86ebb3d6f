import { dec, type Column } from "../definition/column.ts";

/** The column that gives a profit before fees. */
export const fees = (of: string): Column =>
  dec(6, "USD").describe(
    `Fees of the fills of ${of}, which are taken off the profit: with them added it is gross. 0 where they are not known: of takers' fills that the Data API alone told.`,
  );

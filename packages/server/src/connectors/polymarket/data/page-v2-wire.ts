import { z } from "zod";
import { rowsOf, type RowReading } from "../../../definition/rows-of.ts";

const MOST_ROWS = 1000;

/** A page of the Data API v2 with rows of one wire. One whose `has_more` and `next_cursor` disagree is refused. */
export const pageV2Wire = <T extends z.ZodType>(row: T, reading: RowReading) =>
  z
    .object({
      data: rowsOf(row, reading, MOST_ROWS),
      pagination: z
        .object({ has_more: z.boolean(), next_cursor: z.string().min(1).nullable() })
        .refine((page) => page.has_more === (page.next_cursor !== null), {
          path: ["next_cursor"],
          message: "has_more and next_cursor must agree",
        }),
    })
    .transform(({ data, pagination }) => ({ items: data, nextCursor: pagination.next_cursor ?? undefined }));

import { z } from "zod";
import { rawText } from "../../../definition/raw-text.ts";
import { rowsOf } from "../../../definition/rows-of.ts";
import { amount, cents, contracts, dollars, name } from "../wire/kinds.ts";

/** A level: price and size. Text is dollars and contracts; whole numbers are cents and contracts of the older schema. */
const level = z.tuple([z.union([dollars, cents]), z.union([amount, contracts])]);
const side = z.array(level).max(10_000).nullish();

/** An empty side is [], null or missing. Prices are of the side itself: a NO bid at 0.88 stands under `no`. */
const bookNow = z.looseObject({ yes_dollars: side, no_dollars: side });
const bookThen = z.looseObject({ yes_dollars: side, no_dollars: side, yes: side, no: side });

const book = z
  .looseObject({ orderbook_fp: bookNow.optional(), orderbook: bookThen.optional() })
  .refine((reply) => reply.orderbook_fp ?? reply.orderbook, "neither orderbook_fp nor orderbook is there");

/** GET /markets/{ticker}/orderbook. */
export const bookReply = book;

/** GET /markets/orderbooks. */
export const booksReply = z.looseObject({
  orderbooks: rowsOf(
    book.and(z.looseObject({ ticker: name })),
    { instrument: (raw) => rawText(raw["ticker"]) },
    1000,
  ).nullable(),
});

export type BookReply = z.output<typeof bookReply>;
export type BooksReply = z.output<typeof booksReply>;
export type BookLevel = z.output<typeof level>;

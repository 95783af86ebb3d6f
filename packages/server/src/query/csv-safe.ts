import { isFormula } from "../definition/formula-text.ts";
import { release } from "./buffer-pool.ts";
import type { KeptPage } from "./kept-page.ts";
import { etagOf, type PageOf } from "./read-page.ts";

/** A text of the engine's CSV, at the start of a cell: they are quoted, quotes in them doubled. */
const TEXT_CELL = /(^|[,\n])"((?:[^"]|"")*)"/g;
/** Decimals are texts too, and stay numbers. */
const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** A CSV page for spreadsheets: an apostrophe stands before each text that one would run as a formula. */
export function csvSafe(page: KeptPage, asked: Pick<PageOf, "format" | "limit" | "offset">): KeptPage {
  const text = page.body.toString("utf8");
  const safe = text.replace(TEXT_CELL, (found, before: string, cell: string) =>
    isFormula(cell) && !NUMBER.test(cell) ? `${before}"'${cell}"` : found,
  );
  if (safe === text) return page;
  release(page.body);
  const body = Buffer.from(safe);
  return { ...page, body, etag: etagOf(body, page.hasMore, asked) };
}

import { isFormula } from "../definition/formula-text.ts";
import { release } from "./buffer-pool.ts";
import type { KeptPage } from "./kept-page.ts";
import { etagOf, type PageOf } from "./read-page.ts";

/** Start of a text cell in the engine's CSV: texts are quoted, and quotes in them doubled. */
const TEXT_CELL = /(^|[,\n])"((?:[^"]|"")*)"/g;
/** Decimals are quoted too, and stay numbers. */
const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Makes a CSV page safe for spreadsheets: prefixes an apostrophe to each text that would run as a formula. */
export function csvSafe(page: KeptPage, requested: Pick<PageOf, "format" | "limit" | "offset">): KeptPage {
  const text = page.body.toString("utf8");
  const safe = text.replace(TEXT_CELL, (found, before: string, cell: string) =>
    isFormula(cell) && !NUMBER.test(cell) ? `${before}"'${cell}"` : found,
  );
  if (safe === text) return page;
  release(page.body);
  const body = Buffer.from(safe);
  return { ...page, body, etag: etagOf(body, page.hasMore, requested) };
}

import { readFileSync } from "node:fs";
import { z } from "zod";

const positive = z.number().positive();
const points = z.array(z.strictObject({ rows: positive, value: positive, source: z.string() })).min(2);
const range = z.strictObject({ low: z.number().min(0), likely: positive, high: positive, source: z.string() });

/** What was measured, and from where: `figures.json` beside this file. */
const FIGURES = z.strictObject({
  /** Fills in three orders, activity, candles: everything that `almanac load` stores. */
  source_bytes: points,
  derived_bytes: points,
  index_bytes_a_mark: range,
  /** Over all sort orders of fills and what is worked out from them. */
  marks_a_fill: positive,
  book_rows_a_mark: positive,
  tokens_a_fill: positive,
  dictionary_bytes_a_token: range,
  book_bytes_a_change: range,
  /** Of one copy of the rows, with merges. */
  store_cpu_us_a_fill: range,
  /** Of live work however few fills there are. */
  live_cores: range,
  derive_cpu_us_a_fill: range,
  rebuild_cpu_us_a_fill: range,
  book_cpu_us_a_change: range,
  /** Of the service: from a frame's text to rows. */
  frame_cpu_us_a_change: range,
  question_cpu_ms: range,
  question_at_fills: positive,
  /** By what share a page costs more for ten times the rows. */
  question_growth_a_decade: z.number().min(0),
  wire_bytes_a_fill: positive,
  wire_bytes_a_change: positive,
  answer_bytes: positive,
});

export type Figures = z.output<typeof FIGURES>;

/** Throws where the file lacks a figure. */
export function readFigures(file: string | URL = new URL("figures.json", import.meta.url)): Figures {
  return FIGURES.parse(JSON.parse(readFileSync(file, "utf8")));
}

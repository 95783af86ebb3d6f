import { isFormula } from "../definition/value-text.ts";
import { release } from "./buffer-pool.ts";
import { type KeptPage, etagOf, type PageOf } from "./read-page.ts";
import type { Column } from "../definition/column.ts";
import type { DatasetDefinition } from "../definition/dataset.ts";
import type { KeyMode } from "../definition/vocabulary.ts";
import type { FormatType } from "./answer.ts";

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

type Fill = (page: KeptPage, requested: Pick<PageOf, "format" | "limit" | "offset">) => KeptPage;

const known = new WeakMap<DatasetDefinition, Fill>();

/** Replaces nulls of a raw page by the values the dataset declares; undefined if rows stay unchanged. */
export function fillOf(dataset: DatasetDefinition, format: FormatType, mode: KeyMode = "strict"): Fill | undefined {
  if (mode === "strict" || format !== "raw" || dataset.neverNull === undefined) return undefined;
  const fill = known.get(dataset) ?? makeFill(dataset, dataset.neverNull);
  known.set(dataset, fill);
  return fill;
}

function makeFill({ row }: DatasetDefinition, kind: "figures" | "texts"): Fill {
  const values = new Map(
    Object.entries(row).flatMap(([field, column]) => {
      const value = valueOf(column, kind);
      return value === undefined ? [] : [[field, value] as const];
    }),
  );
  // Quotes within strings are escaped, so the pattern cannot match inside one.
  const nulls = new RegExp(`"(${[...values.keys()].join("|")})":null`, "g");
  return (page, requested) => {
    const text = page.body.toString("utf8");
    const filled = text.replace(nulls, (_, field: string) => `"${field}":${values.get(field) ?? "null"}`);
    if (filled === text) return page;
    release(page.body);
    const body = Buffer.from(filled);
    const warnings = [kind === "figures" ? FIGURES : TEXTS];
    return { ...page, body, etag: etagOf(body, page.hasMore, requested), warnings };
  };
}

const FIGURES = "figures that are not defined (null) are 0 for a key in compatible mode";
const TEXTS = "texts that are not known (null) are empty for a key in compatible mode";

function valueOf({ wire, nullable }: Column, kind: "figures" | "texts"): string | undefined {
  if (!nullable) return undefined;
  if (kind === "texts") return wire === "text" ? '""' : undefined;
  if (wire === "int" || wire === "num") return "0";
  const places = /^dec\((\d+)\)$/.exec(wire)?.[1];
  return places === undefined ? undefined : `"${(0).toFixed(Number(places))}"`;
}

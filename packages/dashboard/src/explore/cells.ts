import { groupDecimal } from "../read/exact-figures.ts";
import type { DatasetColumn } from "./dataset.ts";
import type { Row } from "@almanac/client";
import { compareValues, type SortValue, type TableColumn } from "../ui/table-column.ts";

const LONGEST = 300;
const MAX_ID = 28;

export const isFigure = (wire: string): boolean => wire === "num" || wire === "int" || wire.startsWith("dec");

/** The full value, as copied: the service's own text. */
export function wholeText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A value as a cell shows it: digits grouped without rounding, long ids abbreviated to their ends, JSON summarised. */
export function cellText(value: unknown, { wire }: DatasetColumn): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (isFigure(wire)) return groupDecimal(plainNumber(value));
  if (wire === "json string" || wire === "list") return jsonText(value);
  const text = wholeText(value);
  if (wire === "id" && text.length > MAX_ID) return `${text.slice(0, 8)}…${text.slice(-6)}`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** The shortest digits that parse back to the same number, without an exponent where that stays readable. */
function plainNumber(value: unknown): string {
  if (typeof value !== "number") return wholeText(value);
  const text = String(value);
  const [, sign = "", digits = "", exponent = ""] = /^(-?)([\d.]+)e-(\d+)$/.exec(text) ?? [];
  if (exponent === "" || Math.abs(value) < 1e-12) return text;
  return `${sign}0.${"0".repeat(Number(exponent) - 1)}${digits.replace(".", "")}`;
}

function jsonText(value: unknown): string {
  const parsed = readJson(value);
  if (!Array.isArray(parsed)) return wholeText(value);
  if (parsed.length === 0) return "none";
  const items: readonly unknown[] = parsed;
  const texts = items.slice(0, 4).map((item) => (typeof item === "string" ? item : itemText(item)));
  const more = items.length > 4 ? ", …" : "";
  return `${items.length}: ${texts.join(", ")}${more}`.slice(0, LONGEST);
}

function itemText(item: unknown): string {
  if (typeof item !== "object" || item === null) return String(item);
  const { price, size } = item as { price?: unknown; size?: unknown };
  if (price !== undefined && size !== undefined) return `${String(size)} @ ${String(price)}`;
  return Object.values(item).slice(0, 3).map(wholeText).join(" ");
}

/** The JSON of a cell, whether it came as JSON or as text that contains it; the value itself if it is neither. */
export function readJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

const WALLET = /^0x[0-9a-f]{40}$/i;
const CONDITION = /^0x[0-9a-f]{64}$/i;
const TOKEN = /^[0-9]{20,78}$/;
const TICKER = /^[A-Z0-9][A-Z0-9._-]{2,80}$/;
const WALLETS = /(^|_)(wallet|address|proxy_wallet)$/;
const TOKENS = /(^|_)token_id$/;

/**
 * Path of the page about a cell's value: a wallet, a market by its condition or ticker, a token's book. Decided by the
 * column's name and the value's form alone, so that a new dataset's cells link too; undefined for anything else.
 */
export function cellLink(column: string, value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (WALLETS.test(column) && WALLET.test(value)) return `/wallets/${value}`;
  if (column === "condition_id" && CONDITION.test(value)) return `/markets/polymarket/${value}`;
  if (TOKENS.test(column) && TOKEN.test(value)) return `/books/polymarket/${value}`;
  if (column === "ticker" && TICKER.test(value)) return `/markets/kalshi/${encodeURIComponent(value)}`;
  return undefined;
}

const LOOKED_AT = 60;
const CHAR_PX = 7.4;
const PADDING_PX = 26;
const HEAD_PADDING_PX = 44;
const WIDEST_PX = 340;

/** Width of a column, from its name and its first rows, so that it does not change while scrolling. */
export function columnWidth(column: DatasetColumn, rows: readonly Row[]): number {
  const longest = rows
    .slice(0, LOOKED_AT)
    .reduce((most, row) => Math.max(most, cellText(row[column.name], column).length), 1);
  const wanted = Math.max(longest * CHAR_PX + PADDING_PX, column.name.length * CHAR_PX + HEAD_PADDING_PX);
  return Math.round(Math.min(wanted, Math.max(WIDEST_PX, column.name.length * CHAR_PX + HEAD_PADDING_PX)));
}

type SortOf = Required<Pick<TableColumn<Row>, "sortValue" | "compare" | "isLargestFirst">>;

/** Sort order of a dataset's column: figures by value, whether numbers or decimal strings; words by locale. */
export function sortOf({ name, wire }: DatasetColumn): SortOf {
  return {
    sortValue: (row) => keyOf(row[name], wire),
    compare: isFigure(wire) || wire === "text" ? compareValues : compareCodes,
    isLargestFirst: wire !== "text" && wire !== "id",
  };
}

function keyOf(value: unknown, wire: string): SortValue {
  if (value === null || value === undefined || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (Array.isArray(value)) return value.length;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // Without the Z, a timestamp with fewer decimals sorts before one with more.
  return wire === "iso" ? text.replace(/Z$/, "") : text;
}

const DIGITS = /^\d+$/;

/** Compares token ids as numbers; hashes and timestamps character by character. */
function compareCodes(a: NonNullable<SortValue>, b: NonNullable<SortValue>): number {
  if (typeof a === "number" || (DIGITS.test(String(a)) && DIGITS.test(String(b)))) return compareValues(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

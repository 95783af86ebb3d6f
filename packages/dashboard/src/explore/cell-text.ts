import { groupDecimal } from "../read/group-decimal.ts";
import type { DatasetColumn } from "./dataset.ts";

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
  return text.includes("e-") && Math.abs(value) >= 1e-12 ? value.toFixed(20).replace(/0+$/, "") : text;
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

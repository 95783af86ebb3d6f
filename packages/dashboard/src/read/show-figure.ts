import { groupDecimal } from "./group-decimal.ts";

const PLACES = 6;

/**
 * A figure for display. Decimal strings keep every digit, grouped; JSON numbers, which are binary already, are shown to
 * six places; null is a dash.
 */
export function showFigure(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "string") return groupDecimal(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number") return JSON.stringify(value);
  if (!Number.isFinite(value)) return "–";
  const fixed = value.toFixed(PLACES);
  return groupDecimal(fixed.replace(/\.?0+$/, ""));
}

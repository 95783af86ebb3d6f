/** 1e-2 contracts (an integer, may be negative) → Kalshi's fixed-point count, two decimals: -5400 → "-54.00". */
export function toCount(cc: number): string {
  return fixed(cc, 2);
}

/** 1e-4 USD (an integer) → Kalshi's fixed-point dollars, four decimals: 5200 → "0.5200". */
export function toDollars(e4: number): string {
  return fixed(e4, 4);
}

function fixed(value: number, places: number): string {
  const digits = String(Math.abs(value)).padStart(places + 1, "0");
  return `${value < 0 ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/**
 * Formats a timestamp as RFC3339 as Kalshi does: no fraction on a whole second, else up to six digits without trailing
 * zeros ("…37.37315Z"). `micros` (0..999) is the part below the millisecond.
 */
export function toTime(ms: number, micros = 0): string {
  const base = new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19);
  const fraction = String((ms % 1000) * 1000 + micros)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return fraction === "" ? `${base}Z` : `${base}.${fraction}Z`;
}

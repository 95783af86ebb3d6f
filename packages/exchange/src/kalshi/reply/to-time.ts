/**
 * Moment → RFC3339 as Kalshi prints it: no fraction on a whole second, else up to six digits with trailing zeros cut
 * ("…37.37315Z"). `micros` (0..999) is what lies below the millisecond.
 */
export function toTime(ms: number, micros = 0): string {
  const base = new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19);
  const fraction = String((ms % 1000) * 1000 + micros)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return fraction === "" ? `${base}Z` : `${base}.${fraction}Z`;
}

/** A figure as a float, for drawing only: binary rounding is far below a pixel. */
export function toPixelNumber(value: unknown): number | null {
  if (value === null || value === undefined || value === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

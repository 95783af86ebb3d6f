/** A figure as a float, for drawing alone: where a pixel is the finest step, binary rounding cannot be seen. */
export function toPixelNumber(value: unknown): number | null {
  if (value === null || value === undefined || value === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

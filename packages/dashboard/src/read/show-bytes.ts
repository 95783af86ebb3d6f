const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"] as const;

/** Bytes to three digits, in powers of 1,000. */
export function showBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const text = unit === 0 ? String(Math.round(value)) : value.toPrecision(3);
  return `${text} ${UNITS[unit]}`;
}

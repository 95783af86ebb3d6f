/** Millionths as a plain decimal string without trailing zeros: 9_999_997 is "9.999997". */
export function decimalText(micro: number): string {
  return scaledText(micro, 6);
}

/** A price in 1e-4 as the CLOB writes it: 5200 is "0.52", 10000 is "1". */
export function priceText(e4: number): string {
  return scaledText(e4, 4);
}

function scaledText(value: number, digits: number): string {
  const sign = value < 0 ? "-" : "";
  const text = String(Math.abs(value)).padStart(digits + 1, "0");
  const fraction = text.slice(-digits).replace(/0+$/, "");
  const whole = text.slice(0, -digits);
  return fraction === "" ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/** `2026-03-12T09:25:00Z`: whole seconds, as Gamma writes manually set dates. */
export function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** `2026-03-11T09:27:51.14Z`: as Go prints a timestamp, without trailing zeros. */
export function isoPrecise(ms: number): string {
  return new Date(ms).toISOString().replace(/\.?0*Z$/, "Z");
}

/** `2026-07-24 00:00:16+00`: as Postgres prints a timestamptz (closedTime, gameStartTime, tag publishedAt). */
export function postgresTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")}+00`;
}

/** `2026-03-12`. */
export function calendarDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

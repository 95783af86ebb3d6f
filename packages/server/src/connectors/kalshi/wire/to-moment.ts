const FORM = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;
const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(2299, 11, 31);

/**
 * RFC 3339 → "YYYY-MM-DDThh:mm:ss.ffffffZ", which sorts as text. Null for nothing, for Go's zero time (year 1) and
 * for what the store cannot hold.
 */
export function toMoment(text: string | null | undefined): string | null {
  const match = FORM.exec(text ?? "");
  if (!match) return null;
  const [, clock = "", fraction = "", zone = "Z"] = match;
  const value = Date.parse(clock + zone);
  if (!(value >= EARLIEST && value < LATEST)) return null;
  return `${new Date(value).toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, "0")}Z`;
}

/** Unix seconds → the same form. */
export function momentOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.000000Z`;
}

/** Whole Unix seconds of a moment in any RFC 3339 form. */
export function secondsOf(text: string): number {
  return Math.floor(Date.parse(text) / 1000);
}

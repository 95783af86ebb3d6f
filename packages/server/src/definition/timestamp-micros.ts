import type { Bound } from "./sql.ts";

/** A bound timestamp, "YYYY-MM-DD hh:mm:ss.ffffff" in UTC, in microseconds since 1970. */
export const timestampMicros = ({ value }: Bound): number => isoMicros(`${String(value).replace(" ", "T")}Z`);

/** Parses an ISO timestamp to microseconds, exact to six decimals of a second. */
export function isoMicros(text: string): number {
  const [whole = "", fraction = ""] = text.slice(0, -1).split(".");
  return Date.parse(`${whole}Z`) * 1000 + Number(fraction.padEnd(6, "0"));
}

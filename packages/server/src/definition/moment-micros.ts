import type { Bound } from "./sql.ts";

/** A bound moment, "YYYY-MM-DD hh:mm:ss.ffffff" in UTC, in microseconds since 1970. */
export const momentMicros = ({ value }: Bound): number => isoMicros(`${String(value).replace(" ", "T")}Z`);

/** Up to six decimals of a second, exactly. */
export function isoMicros(text: string): number {
  const [whole = "", fraction = ""] = text.slice(0, -1).split(".");
  return Date.parse(`${whole}Z`) * 1000 + Number(fraction.padEnd(6, "0"));
}

import { parseTimestamp } from "../../../definition/timestamp.ts";

/** Unix seconds as `2026-01-02T03:04:05Z`. */
export const isoSeconds = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;

/** Last second that a stored whole-second timestamp can hold. */
const LAST_SECOND = "2106-01-01T00:00:00Z";

/**
 * A timestamp in any upstream form (`…T…Z`, `2026-07-24 00:00:16+00`, a bare day) as ISO with microseconds or whole
 * seconds; null if missing, unreadable or outside 2010–2100 (Gamma has dates of 2500).
 */
export function timestampIso(text: string | undefined, precision: "micros" | "seconds"): string | null {
  if (text === undefined) return null;
  const read = parseTimestamp(text, "start");
  if (!read.ok) return null;
  const iso = `${read.engineText.slice(0, 10)}T${read.engineText.slice(11)}Z`;
  if (precision === "micros") return iso;
  const seconds = `${iso.slice(0, 19)}Z`;
  return seconds < LAST_SECOND ? seconds : null;
}

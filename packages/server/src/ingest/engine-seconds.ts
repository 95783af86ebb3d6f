/** A Unix second as the engine's own text in UTC, e.g. "2026-11-20 10:00:00". */
export function engineSeconds(second: number): string {
  return new Date(second * 1000).toISOString().slice(0, 19).replace("T", " ");
}

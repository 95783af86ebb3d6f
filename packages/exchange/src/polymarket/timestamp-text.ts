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

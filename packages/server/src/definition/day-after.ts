import type { Day } from "./fold.ts";

const DAY_MS = 86_400_000;

/** The day `count` days after (before, where negative). */
export const dayAfter = (day: Day, count = 1): Day =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

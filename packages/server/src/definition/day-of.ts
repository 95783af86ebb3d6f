import type { Day } from "./fold.ts";

/** The UTC day of a Unix second. */
export const dayOf = (second: number): Day => new Date(second * 1000).toISOString().slice(0, 10);

const DAY_MS = 86_400_000;

/** Days since 1970. */
export const numberOfDay = (day: Day): number => Date.parse(day) / DAY_MS;
export const dayOfNumber = (number: number): Day => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** The day `count` days after (before, where negative). */
export const dayAfter = (day: Day, count = 1): Day => dayOfNumber(numberOfDay(day) + count);

import { dayOfNumber, numberOfDay } from "./day-of.ts";
import type { Day } from "./fold.ts";

/** The day `count` days after (before, where negative). */
export const dayAfter = (day: Day, count = 1): Day => dayOfNumber(numberOfDay(day) + count);

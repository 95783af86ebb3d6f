import { SOCIAL_SOURCES } from "./social-source.ts";

/** Sources that streams collect from. */
export const VENUES = ["polymarket", "kalshi", ...SOCIAL_SOURCES] as const;
export type Venue = (typeof VENUES)[number];

/**
 * A venue has no data before this time: Polymarket's contracts came to Polygon in September 2020, Kalshi opened to the
 * public in July 2021. Requests without a start begin here.
 */
const BEGAN: Partial<Record<Venue, number>> = {
  polymarket: Date.UTC(2020, 8, 1),
  kalshi: Date.UTC(2021, 5, 1),
};

/** The earliest time a venue can have rows, in Unix ms; unbounded for sources other than exchanges. */
export const venueBegan = (venue: Venue): number => BEGAN[venue] ?? Number.NEGATIVE_INFINITY;

import { SOCIAL_SOURCES } from "./social-source.ts";

/** Whom a stream gathers from. */
export const VENUES = ["polymarket", "kalshi", ...SOCIAL_SOURCES] as const;
export type Venue = (typeof VENUES)[number];

/**
 * Before so long a venue had nothing that is gathered: Polymarket's contracts came to Polygon in September 2020, Kalshi
 * opened in July 2021. What is asked without a beginning is asked from then on.
 */
const BEGAN: Partial<Record<Venue, number>> = {
  polymarket: Date.UTC(2020, 8, 1),
  kalshi: Date.UTC(2021, 5, 1),
};

/** From when on a venue can have rows, in Unix ms; of others than exchanges nobody says. */
export const venueBegan = (venue: Venue): number => BEGAN[venue] ?? Number.NEGATIVE_INFINITY;

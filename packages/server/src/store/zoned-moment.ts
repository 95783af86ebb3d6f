const ZONED = /(?:Z|[+-]\d\d:?\d\d)$/i;

/** The Unix milliseconds of a moment as ISO text with its zone; NaN of anything else. */
export const zonedMoment = (value: unknown): number =>
  typeof value === "string" && ZONED.test(value) ? Date.parse(value) : Number.NaN;

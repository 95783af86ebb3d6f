const ZONED = /(?:Z|[+-]\d\d:?\d\d)$/i;

/** The Unix milliseconds of a time given as ISO text with a zone; NaN for anything else. */
export const zonedTimestamp = (value: unknown): number =>
  typeof value === "string" && ZONED.test(value) ? Date.parse(value) : Number.NaN;

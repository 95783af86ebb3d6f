/** Between the process that stamps a row and the moment the row can be read, ms: so far back is looked again. */
export const STAMP_MARGIN_MS = 10_000;

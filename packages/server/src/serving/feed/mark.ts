/** Time of storing (microseconds since 1970) up to which the index has all rows. */
export const writeMark = (through: number): Buffer => Buffer.from(String(through));

export const readMark = (mark: Buffer | undefined): number => Number(mark?.toString() ?? 0);

/** Rows of an earlier process may have been stamped this long (microseconds) before they became readable. */
export const MARGIN_MICROS = 10_000_000;

/** Up to when rows were stored (microseconds since 1970) that the index has. */
export const writeMark = (through: number): Buffer => Buffer.from(String(through));

export const readMark = (mark: Buffer | undefined): number => Number(mark?.toString() ?? 0);

/** Rows of an earlier process may have been stamped so long (microseconds) before they could be read. */
export const MARGIN_MICROS = 10_000_000;

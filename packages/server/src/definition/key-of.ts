import { rawText } from "./raw-text.ts";
import type { RowKey } from "./rows-of.ts";

/** A key of one column from an unparsed value; undefined where it cannot be read. */
export function keyOf(column: string, value: unknown): RowKey | undefined {
  const text = rawText(value);
  return text === undefined ? undefined : { [column]: text };
}

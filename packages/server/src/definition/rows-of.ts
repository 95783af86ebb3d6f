import { setImmediate as breathe } from "node:timers/promises";
import { z } from "zod";

/** How to describe a row that cannot be parsed, from its raw fields. `owner` is the object that contains its list. */
export type RowReading = {
  /** The row's timestamp in Unix ms. */
  readonly at?: ReadField<number>;
  /** Columns whose values identify the row among stored rows, where all of them can be read. */
  readonly key?: Readonly<Record<string, ReadField<string>>>;
  readonly instrument?: ReadField<string>;
  /** Rows of one group are only meaningful together: an invalid one excludes the others. */
  readonly group?: (raw: RawRow) => string | undefined;
  /** Rows that no table stores: they are neither validated nor returned, only counted (`skippedOf`). */
  readonly isSkipped?: (raw: RawRow) => boolean;
};

export type RawRow = Readonly<Record<string, unknown>>;
export type RowKey = Readonly<Record<string, string>>;

/** Reads a field of an unparsed row; undefined where it is not of the expected form. */
type ReadField<T> = (raw: RawRow, owner: RawRow) => T | undefined;

/** A value that is text or a whole number, as text. */
function rawText(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "" && value.length <= 200) return value;
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : undefined;
}

export const textIn = (field: string) => (raw: RawRow) => rawText(raw[field]);
export const lowerTextIn = (field: string) => (raw: RawRow) => rawText(raw[field])?.toLowerCase();
export const ownerTextIn = (field: string) => (_raw: RawRow, owner: RawRow) => rawText(owner[field]);

/** Unix ms of an ISO timestamp. */
export const isoIn = (field: string) => (raw: RawRow) => {
  const value = raw[field];
  return typeof value === "string" ? Date.parse(value) : undefined;
};

/** Unix ms of a Unix second, in digits or 0x-hex. */
export const secondsIn = (field: string) => (raw: RawRow) => {
  const seconds = rawText(raw[field]);
  return seconds === undefined ? undefined : Number(seconds) * 1000;
};

/** Marks an issue as belonging to one row: the last `depth` keys of the issue's path are inside the row. */
export type RowMark = { readonly depth: number; readonly reading: RowReading };

const MAX_ROWS = 20_000;
/** With more invalid rows than this the page itself is invalid, and the rest is not checked. */
const MAX_WRONG = 1000;
/** Rows parsed between two yields to the event loop, a few milliseconds. */
const ROWS_PER_CYCLE = 250;

type RowResult = z.ZodSafeParseResult<unknown>;
type Reading = { readonly most: number; readonly ahead: (item: unknown) => RowResult };
const readings = new WeakMap<z.ZodType, Reading>();
const SKIPPED: z.ZodSafeParseSuccess<undefined> = { success: true, data: undefined };
const skipped = new WeakMap<object, number>();

/** Number of skipped rows of a list made by `rowsOf`. */
export const skippedOf = (rows: readonly unknown[]): number => skipped.get(rows) ?? 0;

/**
 * Schema for a page's list of rows. An invalid row is reported as an issue of that row, so that the reader can omit it
 * and keep the others (see read-page).
 */
export function rowsOf<T extends z.ZodType>(row: T, reading: RowReading = {}, most = MAX_ROWS) {
  const known = new WeakMap<object, z.ZodSafeParseResult<z.output<T> | undefined>>();
  const read = (item: unknown): z.ZodSafeParseResult<z.output<T> | undefined> => {
    if (typeof item !== "object" || item === null) return row.safeParse(item);
    const found = known.get(item);
    if (found !== undefined) return found;
    const parsed = reading.isSkipped?.(item as RawRow) ? SKIPPED : row.safeParse(item);
    known.set(item, parsed);
    return parsed;
  };
  const list = z
    .array(z.unknown())
    .max(most)
    .transform((items, context): z.output<T>[] => {
      const rows: z.output<T>[] = [];
      let wrong = 0;
      for (const [index, item] of items.entries()) {
        const parsed = read(item);
        if (parsed === SKIPPED) continue;
        if (parsed.success) {
          rows.push(parsed.data as z.output<T>);
          continue;
        }
        for (const issue of markedIssues(parsed.error, index, reading)) {
          wrong += 1;
          context.addIssue(issue);
        }
        if (wrong > MAX_WRONG) {
          context.addIssue({ code: "custom", message: `more than ${MAX_WRONG} rows have an unexpected shape` });
          return z.NEVER;
        }
      }
      if (reading.isSkipped !== undefined) skipped.set(rows, items.length - rows.length);
      return rows;
    });
  readings.set(list, { most, ahead: read });
  return list;
}

/**
 * Parses the rows of a long page in batches, yielding to the event loop between them. Parsing the page then uses the
 * cached results.
 */
export async function readRowsAhead(schema: z.ZodType, value: unknown): Promise<void> {
  const reading = readings.get(schema);
  if (reading !== undefined) await readAhead(reading, value);
  else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    await readRowsAhead(schema.unwrap() as z.ZodType, value);
  } else if (schema instanceof z.ZodPipe) {
    await readRowsAhead(schema.in as z.ZodType, value);
    await readRowsAhead(schema.out as z.ZodType, value);
  } else if (schema instanceof z.ZodObject && typeof value === "object" && value !== null) {
    for (const [name, field] of Object.entries(schema.shape)) {
      await readRowsAhead(field as z.ZodType, (value as RawRow)[name]);
    }
  }
}

async function readAhead({ most, ahead }: Reading, items: unknown): Promise<void> {
  if (!Array.isArray(items) || items.length > most) return;
  let wrong = 0;
  for (const [index, item] of items.entries()) {
    if (index % ROWS_PER_CYCLE === ROWS_PER_CYCLE - 1) await breathe();
    if (!ahead(item).success) wrong += 1;
    if (wrong > MAX_WRONG) return;
  }
}

/** One issue for the row; or those of an inner list's rows, where only these are invalid. */
function markedIssues(error: z.ZodError, index: number, reading: RowReading) {
  const inner = error.issues.map((issue) => ({ issue, mark: rowMarkOf(issue) }));
  const isInside = inner.every(({ mark }) => mark !== undefined);
  return (isInside ? inner : inner.filter(({ mark }) => mark === undefined).slice(0, 1)).map(({ issue, mark }) => ({
    code: "custom" as const,
    path: [index, ...issue.path],
    message: issue.message,
    params: { row: mark ?? { depth: issue.path.length, reading } },
  }));
}

/** The mark of a row's issue; undefined for an issue of the page itself. */
export function rowMarkOf(issue: z.core.$ZodIssue): RowMark | undefined {
  return issue.code === "custom" ? (issue.params?.["row"] as RowMark | undefined) : undefined;
}

import { z } from "zod";

/** What is told of a row that cannot be parsed, from what it holds. `owner` is the object its list stands in. */
export type RowReading = {
  /** Unix ms of what the row tells of. */
  readonly at?: (raw: RawRow, owner: RawRow) => number | undefined;
  /** Columns and values by which the row is known again among rows that were stored; undefined where unreadable. */
  readonly key?: (raw: RawRow, owner: RawRow) => RowKey | undefined;
  readonly instrument?: (raw: RawRow, owner: RawRow) => string | undefined;
  /** Rows of one group only make sense together: one that cannot be read takes the others with it. */
  readonly group?: (raw: RawRow) => string | undefined;
};

export type RawRow = Readonly<Record<string, unknown>>;
export type RowKey = Readonly<Record<string, string>>;

/** Marks an issue as that of one row: `depth` keys at the end of the issue's path are inside the row. */
export type RowMark = { readonly depth: number; readonly reading: RowReading };

const MOST_ROWS = 100_000;

/**
 * The list of rows of a page. What does not parse is an issue of its own row, so that the reader of the page can leave
 * that row out and take the others (see read-page).
 */
export function rowsOf<T extends z.ZodType>(row: T, reading: RowReading = {}, most = MOST_ROWS) {
  return z
    .array(z.unknown())
    .max(most)
    .transform((items, context): z.output<T>[] => {
      const rows: z.output<T>[] = [];
      for (const [index, item] of items.entries()) {
        const parsed = row.safeParse(item);
        if (parsed.success) rows.push(parsed.data);
        else for (const issue of markedIssues(parsed.error, index, reading)) context.addIssue(issue);
      }
      return rows;
    });
}

/** One issue for the row; where only rows of a list inside it are wrong, theirs. */
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

/** The mark of an issue that is one row's; undefined for an issue of the page itself. */
export function rowMarkOf(issue: z.core.$ZodIssue): RowMark | undefined {
  return issue.code === "custom" ? (issue.params?.["row"] as RowMark | undefined) : undefined;
}

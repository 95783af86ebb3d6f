import type { Keys, OrderKey, Place, Asking, DatasetDefinition, Prepared, Question } from "../definition/dataset.ts";
import { bind, joined, sql, type Sql, name, type Bound } from "../definition/sql.ts";
import type { Target } from "../definition/column.ts";
import type { Held } from "../definition/coverage.ts";

export type { Keys, Place };

const AND = sql` AND `;
const TRUE = sql`1`;

/** The condition that a row is at this position. */
export const isAt = ({ after }: Place, order: readonly OrderKey[]): Sql => beyond(order, after);

/**
 * The condition that (a, b, c) lies beyond the given values in the given directions; the leading key is tested
 * separately, so that the engine can prune by it.
 */
function beyond(order: readonly OrderKey[], values: Keys): Sql {
  const bounds = order.map((key, index) => key.stored(bind("String", String(values[index]))));
  const isEqual = (upTo: number): Sql[] =>
    order.slice(0, upTo).map((key, at) => sql`${key.by} = ${bounds[at] ?? TRUE}`);
  const cases = order.map((key, index) => {
    const side = key.direction === "asc" ? sql`>` : sql`<`;
    return sql`(${joined([...isEqual(index), sql`${key.by} ${side} ${bounds[index] ?? TRUE}`], AND)})`;
  });
  const lead = order[0];
  if (lead === undefined) return sql``;
  const bar = lead.direction === "asc" ? sql`>=` : sql`<=`;
  return sql`${lead.by} ${bar} ${bounds[0] ?? TRUE} AND (${joined(cases, sql` OR `)})`;
}

export type Page = {
  readonly rows: number;
  readonly offset: number;
  readonly format: Target;
  readonly now: Bound;
  readonly held?: Held | undefined;
  readonly recentFirst?: true;
  /** Rows are chosen from this snapshot. */
  readonly snapshot?: Bound | undefined;
  readonly place?: Place | undefined;
  readonly prepared?: Prepared | undefined;
};

const COMMA = sql`, `;

/** The page request as a dataset receives it. */
export function askingOf(page: Page): Asking {
  const after = (order: readonly OrderKey[]): Sql => (page.place ? isAt(page.place, order) : sql``);
  return {
    rows: page.rows,
    offset: page.offset,
    now: page.now,
    after,
    ...(page.place ? { place: page.place } : {}),
    ...(page.held ? { held: page.held } : {}),
    ...(page.recentFirst ? { recentFirst: true } : {}),
    ...(page.snapshot ? { snapshot: page.snapshot } : {}),
    ...(page.prepared ? { prepared: page.prepared } : {}),
  };
}

function questionOf(dataset: DatasetDefinition, given: Readonly<Record<string, Bound>>, asking: Asking): Question {
  if (dataset.query === undefined) throw new TypeError(`${dataset.name} has no statement`);
  return dataset.query(given, asking);
}

/** Prefix for raw copies of fields whose column is in another form: the cursor is read from them. */
export const KEY = "key_";

/** The fields from which the order keys of a row are read. */
function keyFields({ order }: Question): Set<string> {
  const fields = new Set<string>();
  const noting = new Proxy({}, { get: (_, field) => (fields.add(String(field)), null) });
  for (const { value } of order) value(noting);
  return fields;
}

/** Composes the query of a page as one statement: the dataset's own SQL plus cursor position, order and limit. */
export function compose(
  dataset: DatasetDefinition,
  given: Readonly<Record<string, Bound>>,
  page: Page,
): { statement: Sql; question: Question } {
  const asking = askingOf(page);
  const question = questionOf(dataset, given, asking);
  const select = Object.entries(dataset.row).map(([field, column]) => {
    const named = name(field);
    return sql`${column.render(question.select?.[field] ?? named, page.format)} AS ${named}`;
  });
  if (page.format === "columnar") {
    for (const field of keyFields(question)) {
      const column = dataset.row[field];
      if (column === undefined) continue;
      select.push(sql`${column.render(question.select?.[field] ?? name(field), "raw")} AS ${name(KEY + field)}`);
    }
  }
  const order = joined(
    question.order.map((key) => sql`${key.by} ${key.direction === "asc" ? sql`ASC` : sql`DESC`}`),
    COMMA,
  );
  const only = question.branches?.length === 1 ? question.branches : [];
  const where = joined(
    [
      ...only,
      ...(question.where ?? []),
      ...snapshotCondition(question, page),
      question.isPaged ? sql`` : asking.after(question.order),
    ],
    AND,
  );
  const condition = where.text === "" ? TRUE : where;
  const rows = bind("UInt64", page.rows);
  const limit = question.isPaged ? sql`LIMIT ${rows}` : sql`LIMIT ${rows} OFFSET ${bind("UInt64", page.offset)}`;
  const source = sourceOf(question, { condition, order, limit }, page);
  const cut = source.isCut ? sql`LIMIT ${rows}` : limit;
  return { statement: sql`SELECT ${joined(select, COMMA)} FROM ${source.from} ORDER BY ${order} ${cut}`, question };
}

type Clauses = { readonly condition: Sql; readonly order: Sql; readonly limit: Sql };

/** FROM and WHERE of a page: read directly, as a union of branches, or by keys found in a subquery. */
function sourceOf(question: Question, { condition, order, limit }: Clauses, page: Page): { from: Sql; isCut: boolean } {
  const { from, branches, key } = question;
  if (branches && branches.length > 1) {
    return { from: sql`(${branched(question, condition, order, page)}) AS r`, isCut: false };
  }
  if (key) {
    const keys = sql`SELECT ${key} FROM ${from} WHERE ${condition} ORDER BY ${order} ${limit}`;
    return { from: sql`${from} WHERE ${key} IN (${keys})`, isCut: true };
  }
  return { from: sql`${from} WHERE ${condition}`, isCut: false };
}

/**
 * Counts all rows of a query (up to `rows` for those that cut their page themselves); used for offsets so deep that
 * reading past the rows may cost more than counting them.
 */
export function composeCount(
  dataset: DatasetDefinition,
  given: Readonly<Record<string, Bound>>,
  { now, held, rows = 1 }: Partial<Pick<Page, "rows">> & Pick<Page, "now" | "held">,
): Sql {
  const asking: Asking = { rows, offset: 0, now, after: () => sql``, ...(held ? { held } : {}) };
  const question = questionOf(dataset, given, asking);
  const condition = joined([...(question.where ?? []), anyBranch(question), TRUE], AND);
  return sql`SELECT count() AS total FROM ${question.from} WHERE ${condition}`;
}

function anyBranch(question: Question): Sql {
  if (!question.branches || question.branches.length === 0) return sql``;
  return sql`(${joined(question.branches, sql` OR `)})`;
}

function branched(question: Question, condition: Sql, order: Sql, page: Page): Sql {
  const depth = bind("UInt64", page.rows + page.offset);
  const { from, branches = [] } = question;
  const parts = branches.map(
    (branch) => sql`SELECT * FROM ${from} WHERE ${branch} AND ${condition} ORDER BY ${order} LIMIT ${depth}`,
  );
  return joined(parts, sql` UNION ALL `);
}

function snapshotCondition(question: Question, page: Page): Sql[] {
  return page.snapshot && question.storedBy ? [question.storedBy(page.snapshot)] : [];
}

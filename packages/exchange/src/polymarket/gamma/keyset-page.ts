import { many, numeric, one, type Query } from "../query-values.ts";

/** One sortable column: the camelCase name Gamma uses, and its value for an item. */
export type OrderFields<T> = Readonly<Record<string, (item: T) => number | string>>;

/** A page, or the error message with which Gamma would reject the request (422). */
type Page<T> = { items: T[]; next_cursor?: string } | { refused: string };

interface Position {
  order: string;
  values: (number | string)[];
  id: string;
}

/**
 * Cuts one keyset page out of `items`. `limit` is silently clamped to 100, `cursor` is not a parameter and so ignored,
 * `offset` is rejected with 422, and `next_cursor` is present only when the page is full and more may follow.
 */
export function keysetPage<T extends { id: string }>(
  items: readonly T[],
  query: Query,
  fields: OrderFields<T>,
): Page<T> {
  if (query["offset"] !== undefined) return { refused: "offset is not supported, use after_cursor" };
  const limit = clampLimit(numeric(query, "limit"));
  const ordering = readOrder(query, fields);
  if (ordering === undefined) return { refused: "order fields are not valid" };
  const after = one(query, "after_cursor");
  const start = after === undefined ? undefined : decode(after);
  if (after !== undefined && start?.order !== ordering.signature) return { refused: "invalid after_cursor" };
  const sorted = [...items].sort(ordering.compare);
  const from = start === undefined ? 0 : firstAfter(sorted, start, ordering);
  const page = sorted.slice(from, from + limit);
  const last = page.at(-1);
  if (last === undefined || from + limit >= sorted.length) return { items: page };
  return {
    items: page,
    next_cursor: encode({ order: ordering.signature, values: ordering.values(last), id: last.id }),
  };
}

/** Limit of Gamma's lists: default 20, clamped to 1..100. */
export function clampLimit(requested: number | undefined): number {
  if (requested === undefined || !Number.isFinite(requested) || requested < 1) return 20;
  return Math.min(100, Math.floor(requested));
}

/**
 * Reads the order from `order` and `ascending`: by default ascending id. snake_case names are ignored; undefined for
 * unknown names.
 */
function readOrder<T extends { id: string }>(query: Query, fields: OrderFields<T>): Ordering<T> | undefined {
  const requested = many(query, "order").flatMap((part) => part.split(","));
  const names = requested.map((name) => name.trim()).filter((name) => name !== "" && !name.includes("_"));
  const getters = names.map((name) => (name === "id" ? (item: T) => Number(item.id) : fields[name]));
  if (getters.some((getter) => getter === undefined)) return undefined;
  const up = one(query, "ascending") === "true" || (names.length === 0 && one(query, "ascending") !== "false");
  return new Ordering(getters as ((item: T) => number | string)[], up, `${names.join(",")}:${String(up)}`);
}

/** A total order over items: the named fields, then the id, all in one direction. */
class Ordering<T extends { id: string }> {
  readonly signature: string;
  private readonly getters: ((item: T) => number | string)[];
  private readonly sign: 1 | -1;

  constructor(getters: ((item: T) => number | string)[], up: boolean, signature: string) {
    this.getters = getters;
    this.sign = up ? 1 : -1;
    this.signature = signature;
  }

  values(item: T): (number | string)[] {
    return this.getters.map((getter) => getter(item));
  }

  readonly compare = (left: T, right: T): number => this.against(left, this.values(right), right.id);

  /** Compares an item to a cursor position: negative if before it, positive if after it. */
  against(item: T, values: readonly (number | string)[], id: string): number {
    for (const [index, getter] of this.getters.entries()) {
      const mine = getter(item);
      const other = values[index] ?? 0;
      if (mine !== other) return (mine < other ? -1 : 1) * this.sign;
    }
    return (Number(item.id) - Number(id)) * this.sign;
  }
}

function firstAfter<T extends { id: string }>(sorted: readonly T[], start: Position, ordering: Ordering<T>): number {
  const found = sorted.findIndex((item) => ordering.against(item, start.values, start.id) > 0);
  return found === -1 ? sorted.length : found;
}

function encode(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

function decode(text: string): Position | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    if (typeof value !== "object" || value === null) return undefined;
    const { order, values, id } = value as Partial<Position>;
    return typeof order === "string" && Array.isArray(values) && typeof id === "string"
      ? { order, values, id }
      : undefined;
  } catch {
    return undefined;
  }
}

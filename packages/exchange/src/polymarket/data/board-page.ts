import type { Query } from "../query-values.ts";
import { one } from "../query-values.ts";
import { invalid, type Refusal } from "./data-error.ts";
import type { Pagination } from "./feed-page.ts";
import { isRefusal, readLimit } from "./read-query.ts";

/** The question a board is asked: the query of its first page, and where this page starts. */
export interface BoardQuestion {
  query: Query;
  offset: number;
  limit: number;
}

/** Parameters that say where to read, not what. `_` is the dummy with which clients get round the CDN. */
const placing = new Set(["cursor", "next_cursor", "limit", "_"]);

/**
 * Boards and positions: the cursor remembers the whole question and its limit. A parameter that contradicts it is refused,
 * parameters left out are taken from it.
 */
export function readBoard(query: Query, usual: number, most: number): BoardQuestion | Refusal {
  const cursor = one(query, "cursor") ?? one(query, "next_cursor");
  const asked = Object.fromEntries(Object.entries(query).filter(([key, value]) => !placing.has(key) && value !== ""));
  if (cursor === undefined) {
    const limit = readLimit(query, usual, most);
    return isRefusal(limit) ? limit : { query: asked, offset: 0, limit };
  }
  const pinned = decode(cursor);
  if (pinned === undefined) return invalid("cursor", "cursor is not valid");
  for (const [key, value] of Object.entries(asked)) {
    if (JSON.stringify(pinned.query[key]) !== JSON.stringify(value))
      return invalid(key, `${key} contradicts the cursor`);
  }
  return pinned;
}

/** The page of `rows` that the question asks for. */
export function boardPage<T>(rows: readonly T[], question: BoardQuestion): { items: T[]; pagination: Pagination } {
  const { offset, limit } = question;
  const items = rows.slice(offset, offset + limit);
  const more = offset + limit < rows.length;
  const next_cursor = more ? encode({ query: question.query, offset: offset + limit, limit }) : null;
  return { items, pagination: { limit, offset, has_more: more, next_cursor } };
}

function encode(question: BoardQuestion): string {
  return Buffer.from(JSON.stringify(question)).toString("base64url");
}

function decode(cursor: string): BoardQuestion | undefined {
  try {
    const value = JSON.parse(Buffer.from(cursor, "base64url").toString()) as Partial<BoardQuestion> | null;
    const sound = typeof value?.query === "object" && Number.isInteger(value.offset) && Number.isInteger(value.limit);
    return sound ? (value as BoardQuestion) : undefined;
  } catch {
    return undefined;
  }
}

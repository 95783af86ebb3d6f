import { commaList, numeric, one, type Query } from "../query-values.ts";
import { invalid, type Refusal } from "./data-error.ts";
import { decodeFeed, type Placed } from "./feed-page.ts";

/**
 * Reads `condition`: at most 20 ids of 32 bytes (31-byte ids of modules 1 and 2 are padded). Combo ids are rejected.
 */
export function readConditions(query: Query): string[] | Refusal {
  const ids = commaList(query, "condition").map((id) => id.toLowerCase());
  if (ids.length > 20) return invalid("condition", "at most 20 conditions");
  const padded = ids.map((id) => (/^0x0[12][0-9a-f]{60}$/.test(id) ? `${id}00` : id));
  const bad = padded.find((id) => !/^0x[0-9a-f]{64}$/.test(id));
  return bad === undefined ? padded : invalid("condition", "condition must be a 32-byte id");
}

/** Reads `limit`: an integer from 1 to `most`. */
export function readLimit(query: Query, usual: number, most: number): number | Refusal {
  const limit = numeric(query, "limit") ?? usual;
  return Number.isInteger(limit) && limit >= 1 && limit <= most
    ? limit
    : invalid("limit", `limit must be between 1 and ${most}`);
}

/** Reads a timestamp in Unix seconds; undefined when absent. */
export function readSeconds(query: Query, name: string): number | undefined | Refusal {
  const value = numeric(query, name);
  if (value === undefined) return undefined;
  return Number.isInteger(value) && value >= 0 ? value : invalid(name, `${name} must be Unix seconds`);
}

/** Reads `cursor`: the last row already sent; undefined for the first page. */
export function readCursor(query: Query): Placed | undefined | Refusal {
  const cursor = one(query, "cursor");
  if (cursor === undefined) return undefined;
  return decodeFeed(cursor) ?? invalid("cursor", "cursor is not valid");
}

/** Whether a value that was read is an error. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "code" in value && "parameter" in value;
}

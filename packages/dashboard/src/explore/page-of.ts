import type { Requested } from "./requested.ts";
import type { Dataset } from "./dataset.ts";

type Page = { readonly limit?: number; readonly offset?: number };
type Read = { readonly ok: true; readonly page: Page } | { readonly ok: false; readonly problems: Map<string, string> };

/** The requested page; default values are omitted. */
export function pageOf(dataset: Dataset, requested: Requested): Read {
  const problems = new Map<string, string>();
  const limit = wholeOf(requested.limit);
  const offset = wholeOf(requested.offset);
  const { max } = dataset.limit;
  if (limit === null || (limit !== undefined && (limit < 1 || limit > max))) {
    problems.set("limit", `a whole number from 1 to ${max}, got ${requested.limit.trim()}`);
  }
  if (offset === null) problems.set("offset", `a whole number from 0, got ${requested.offset.trim()}`);
  if (problems.size > 0) return { ok: false, problems };
  return {
    ok: true,
    page: {
      ...(typeof limit === "number" && limit !== dataset.limit.default ? { limit } : {}),
      ...(typeof offset === "number" && offset > 0 ? { offset } : {}),
    },
  };
}

function wholeOf(text: string): number | undefined | null {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : null;
}

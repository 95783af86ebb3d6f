import type { Requested } from "./requested.ts";
import type { Dataset } from "./dataset.ts";
import { toParams } from "./to-params.ts";

/** Longer links are truncated by some servers, chats and mail programs. */
export const MAX_LINK = 4000;
const PAGE = { limit: "_limit", offset: "_offset" } as const;

/** The query string of a link to the form's contents: only what differs from the defaults. */
export function searchOf(dataset: Dataset, requested: Requested): string {
  const search = new URLSearchParams(toParams(dataset, requested));
  if (requested.limit.trim() !== "" && requested.limit.trim() !== String(dataset.limit.default)) {
    search.set(PAGE.limit, requested.limit.trim());
  }
  if (requested.offset.trim() !== "" && requested.offset.trim() !== "0")
    search.set(PAGE.offset, requested.offset.trim());
  return search.size === 0 ? "" : `?${search.toString()}`;
}

/** The form's contents from a link. Aliases of a parameter become its canonical name; unknown names are kept. */
export function requestedOf(dataset: Dataset, search: string): Requested {
  const given = new URLSearchParams(search);
  const params: Record<string, string> = {};
  const names = new Set(dataset.params.map((param) => param.name));
  for (const [key, text] of given) {
    if (key === PAGE.limit || key === PAGE.offset) continue;
    const own = names.has(key) ? key : dataset.params.find((param) => param.aliases.includes(key))?.name;
    const isFree = own !== undefined && (own === key || !given.has(own));
    params[isFree ? own : key] = text;
  }
  return { params, limit: given.get(PAGE.limit) ?? "", offset: given.get(PAGE.offset) ?? "" };
}

import type { Asked } from "./asked.ts";
import type { Dataset } from "./dataset.ts";
import { toParams } from "./to-params.ts";

/** Links beyond this are cut by some servers, chats and mail programs. */
export const LONGEST_LINK = 4000;
const PAGE = { limit: "_limit", offset: "_offset" } as const;

/** The search part of a link to what is asked: what differs from the defaults, nothing else. */
export function searchOf(dataset: Dataset, asked: Asked): string {
  const search = new URLSearchParams(toParams(dataset, asked));
  if (asked.limit.trim() !== "" && asked.limit.trim() !== String(dataset.limit.default)) {
    search.set(PAGE.limit, asked.limit.trim());
  }
  if (asked.offset.trim() !== "" && asked.offset.trim() !== "0") search.set(PAGE.offset, asked.offset.trim());
  return search.size === 0 ? "" : `?${search.toString()}`;
}

/** What a link asks. Other names of a parameter are put under its own; unknown ones are kept as they are. */
export function askedOf(dataset: Dataset, search: string): Asked {
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

import { markdownTable } from "../bench/markdown-table.ts";
import type { Mutation } from "./mutation.ts";
import type { Tried } from "./try-mutation.ts";

/** A sentence with how many of those tried were caught. */
export function totalOf(tried: readonly Tried[]): string {
  const count = (level?: string): number =>
    tried.filter(({ caught }) => caught !== undefined && (level === undefined || caught.level === level)).length;
  return `quick ${count("quick")} of ${tried.length}, all ${count()} of ${tried.length}`;
}

/** One line per mutation: what it breaks, and what caught it. */
export function toMarkdown(mutations: readonly Mutation[], tried: readonly Tried[]): string {
  const byId = new Map(tried.map((each) => [each.id, each]));
  const lines = mutations.flatMap(({ id, area, breaks }) => {
    const result = byId.get(id);
    if (result === undefined) return [];
    const { caught, seconds } = result;
    const by = caught === undefined ? "" : `${caught.file}: ${caught.test}`;
    return [
      [area, id, breaks, caught?.level ?? "**survived**", by.replaceAll("|", "\\|"), String(Math.round(seconds))],
    ];
  });
  return markdownTable(["area", "mutation", "what it breaks", "caught by", "test", "s"], lines);
}

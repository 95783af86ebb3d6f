import type { InsertRow } from "../../../src/definition/table.ts";

/** A request for the figures of a window, computed in plain TypeScript over rows as they are inserted. */
export type PulseQuestion = {
  readonly keywords: readonly string[];
  readonly hours: number;
  readonly toMs: number;
  readonly source?: string;
};

const words = (text: string): string =>
  ` ${text
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase()} `;

export const says = (text: string, keywords: readonly string[]): boolean =>
  keywords.some((keyword) => words(text).includes(words(keyword)));

export function visible(posts: readonly InsertRow[], removals: readonly InsertRow[]): InsertRow[] {
  return posts.filter(
    (post) =>
      !removals.some(({ what, source, id, ts, reason }) => {
        if (source !== post["source"]) return false;
        if (what === "record") return id === post["id"];
        return id === post["author"] && (reason === "request" || String(post["ts"]) <= String(ts));
      }),
  );
}

/** part / whole rounded to so many decimals, half away from zero, in integer arithmetic. */
export function decimal(part: bigint, whole: bigint, places: number): string {
  const scale = 10n ** BigInt(places);
  const doubled = (2n * part * scale) / whole;
  const rounded = (doubled + 1n) / 2n;
  const text = String(rounded).padStart(places + 1, "0");
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
}

export function referencePulse(posts: readonly InsertRow[], removals: readonly InsertRow[], requested: PulseQuestion) {
  const { keywords, hours, toMs, source } = requested;
  const since = (count: number) => (post: InsertRow) => Date.parse(String(post["ts"])) > toMs - count * 3_600_000;
  const found = visible(posts, removals)
    .filter((post) => source === undefined || post["source"] === source)
    .filter((post) => Date.parse(String(post["ts"])) <= toMs && since(hours)(post))
    .filter((post) => says(String(post["body"]), keywords))
    .sort((a, b) => {
      const [one, other] = [a, b].map((post) => [String(post["ts"]), String(post["source"]), String(post["id"])]);
      if (one?.[0] !== other?.[0]) return String(one?.[0]) > String(other?.[0]) ? -1 : 1;
      return `${one?.[1]} ${one?.[2]}` < `${other?.[1]} ${other?.[2]}` ? -1 : 1;
    });
  if (found.length === 0) return { ids: [], figures: undefined };
  const n = BigInt(found.length);
  const last = (count: number): bigint => BigInt(found.filter(since(count)).length);
  const authors = BigInt(new Set(found.map((post) => `${String(post["source"])} ${String(post["author"])}`)).size);
  const h = BigInt(hours);
  return {
    ids: found.map((post) => String(post["id"])),
    figures: {
      tweet_count: found.length,
      acceleration: decimal(h * (2n * last(1) + 1n), 2n * n + h, 2),
      author_diversity_pct: decimal(authors * 100n, n, 1),
      pct_last_1h: decimal(last(1) * 100n, n, 1),
      pct_last_6h: decimal(last(6) * 100n, n, 1),
    },
  };
}

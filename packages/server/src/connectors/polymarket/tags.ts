import { z } from "zod";
import { type Batch, definePull, type PullOptions } from "../../definition/connector.ts";
import { polymarketTags } from "../../tables/polymarket-tags.ts";
import { rowsOf, textIn } from "../../definition/rows-of.ts";
import { maybeWire } from "./exact/wires.ts";
import { gammaHost } from "./hosts.ts";
import type { InsertRow } from "../../definition/table.ts";
import { timestampIso } from "./exact/values.ts";
import { tagParents } from "./gamma/tag-paths.ts";

const text = maybeWire(z.string());

const tagWire = z.object({
  id: z.string().regex(/^\d+$/),
  label: text,
  slug: text,
  createdAt: text,
  updatedAt: text,
});

/** A tag as Gamma returns it: the fields we keep. */
type GammaTag = z.output<typeof tagWire>;

/** A page of `/tags`: a bare array of at most 100, whatever limit is requested. */
const tagPageWire = rowsOf(tagWire, { key: { tag_id: textIn("id") } }, 1000);

/** The largest page Gamma returns, whatever limit is requested (reference/polymarket.md §1.2). */
const PAGE_ROWS = 100;
/** Twenty thousand tags: several times the current number. */
const MAX_PAGES = 200;

/** Polymarket's tags, from Gamma: the whole list by offset, every hour. */
export const polymarketTagsStream = definePull({
  name: "polymarket-tags",
  title: "Polymarket's catalogue of tags",
  venue: "polymarket",
  host: gammaHost,
  tables: [polymarketTags],
  everySeconds: 3600,
  canBackfill: false,
  pull,
  replay: ({ read }) => [{ table: polymarketTags, rows: read(tagPageWire).map(toTag), mode: "if_absent" }],
});

async function* pull({ feed, now, signal, cursor }: PullOptions): AsyncGenerator<Batch, void, void> {
  const began = now();
  const seen = new Set<string>();
  for (let page = 0; page < MAX_PAGES && !signal.aborted; page += 1) {
    const query = [
      ["limit", String(PAGE_ROWS)],
      ["offset", String(page * PAGE_ROWS)],
      ["order", "id"],
      ["ascending", "true"],
    ] as const;
    const tags = (await feed.get({ path: "/tags", query, route: "all" }, tagPageWire)) ?? [];
    const fresh = tags.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    // A repeated page means that the offset is no longer honoured: the walk would never end.
    if (tags.length > 0 && fresh.length === 0)
      throw new Error(`/tags returned the same rows again at ${page * PAGE_ROWS}`);
    if (fresh.length > 0) yield { rows: [{ table: polymarketTags, rows: fresh.map(toTag) }], cursor: cursor ?? {} };
    if (tags.length === 0) {
      yield { rows: [], cursor: { tags: seen.size }, reached: new Date(began).toISOString(), isCaughtUp: true };
      return;
    }
  }
  if (!signal.aborted) throw new Error(`/tags has more than ${MAX_PAGES * PAGE_ROWS} rows`);
}

/** A row of polymarket_tags. Gamma gives no hierarchy: the parent comes from our own table. */
export function toTag({ id, label, slug, createdAt, updatedAt }: GammaTag): InsertRow {
  return {
    tag_id: id,
    label: label ?? "",
    slug: slug ?? "",
    parent_slug: slug === undefined ? null : (tagParents.get(slug) ?? null),
    created_at: timestampIso(createdAt, "micros"),
    updated_at: timestampIso(updatedAt, "micros"),
  };
}

import type { InsertRow } from "../../../definition/table.ts";
import { momentIso } from "../exact/moment-iso.ts";
import { tagParents } from "./tag-parents.ts";
import type { GammaTag } from "./tag-page-wire.ts";

/** A row of polymarket_tags. Gamma tells of no hierarchy: the parent is the one we know. */
export function toTag({ id, label, slug, createdAt, updatedAt }: GammaTag): InsertRow {
  return {
    tag_id: id,
    label: label ?? "",
    slug: slug ?? "",
    parent_slug: slug === undefined ? null : (tagParents.get(slug) ?? null),
    created_at: momentIso(createdAt, "micros"),
    updated_at: momentIso(updatedAt, "micros"),
  };
}

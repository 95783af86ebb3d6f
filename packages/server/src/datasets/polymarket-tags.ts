import { id, iso, text } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { isIn } from "../definition/filter.ts";
import { lowered, oneOf } from "../definition/listed.ts";
import { slug, words } from "../definition/param-kinds.ts";
import { orderKey } from "../definition/sorting.ts";
import { given, sql } from "../definition/sql.ts";
import { asOfSnapshot, newestVersion } from "../definition/table-sql.ts";
import { polymarketTags } from "../tables/polymarket-tags.ts";

const order = [orderKey(sql`tag_id`, "asc", "text", "tag_id")];

export const polymarketTagsDataset = defineDataset({
  agentId: 1107,
  name: "polymarket-tags",
  title: "Polymarket tags",
  summary: "The tags of Polymarket's events and markets, with the known part of their hierarchy.",
  plan: "free",
  params: {
    slug: slug().list().describe("Exact slug."),
    label: words().describe("Label, in any letter case."),
    parent_slug: slug().list().describe("Slug of the parent tag."),
  },
  row: {
    tag_id: id().describe("Gamma's id."),
    label: text().describe("Label, as in the lists of tags of markets."),
    slug: text().describe("Slug."),
    parent_slug: text().maybe("Slug of the parent tag; empty at the top, null if unknown."),
    created_at: iso().maybe("When it was created."),
    updated_at: iso().maybe("When the venue last changed it."),
  },
  limit: { default: 100, max: 10_000 },
  order: "tag_id, as text",
  tables: [polymarketTags],
  snapshot: newestVersion(polymarketTags),
  cursorHours: 24,
  query: (p, asking) => ({
    from: asOfSnapshot(polymarketTags, asking.snapshot),
    where: [
      given(p.slug, (slugs) => isIn("slug", "text", slugs)),
      given(p.label, (label) => sql`lowerUTF8(label) = lowerUTF8(${label})`),
      given(p.parent_slug, (slugs) => isIn("parent_slug", "text", slugs)),
    ],
    order,
    key: sql`tag_id`,
  }),
  listed: {
    table: polymarketTags,
    unique: "tag_id",
    columns: {
      tag_id: { kind: "text" },
      slug: { kind: "text" },
      label: { kind: "text", form: "lowered" },
      parent_slug: { kind: "text" },
    },
    order: () => order,
    tests: (p) => [
      oneOf("slug", p.slug),
      p.label && { column: "label", oneOf: [lowered(p.label)] },
      oneOf("parent_slug", p.parent_slug),
    ],
  },
  related: [574],
  examples: [
    { title: "All tags", params: {} },
    { title: "One tag", params: { slug: "<tag>" } },
  ],
});
